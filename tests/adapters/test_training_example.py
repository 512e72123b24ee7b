"""The training example: after a short run, it plays better than before."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs pytlik[pettingzoo]")

EXAMPLE_FILE = Path(__file__).parents[2] / "docs" / "examples" / "train_unikat.py"


@pytest.fixture(scope="module")
def training_example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train_unikat", EXAMPLE_FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_example_learns_to_beat_random_steps(training_example: ModuleType) -> None:
    weights, curve = training_example.train(40, batch=10, rate=3.0, looks=1, trials=40, seed=2)
    untrained, trained = curve[0], curve[-1]
    assert (untrained.rounds, trained.rounds) == (0, 40)
    assert trained.wins >= 0.8
    assert trained.wins >= untrained.wins + 0.25
    learned = dict(zip(training_example.FEATURES, weights, strict=True))
    assert learned["lay a tile"] > 0 > learned["end a chain"]


def test_untrained_policy_is_uniform(training_example: ModuleType) -> None:
    rows = np.array([[1.0] + [0.0] * 8, [0.0] * 8 + [0.5]])
    assert training_example.step_probabilities(np.zeros(9), rows).tolist() == [0.5, 0.5]


def test_the_curve_can_be_drawn(training_example: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs pytlik[plot]")
    file = tmp_path / "curve.png"
    training_example.plot(
        [training_example.Point(0, 0.5, 0.0), training_example.Point(100, 0.9, 1.0)], file
    )
    assert file.read_bytes().startswith(b"\x89PNG")
