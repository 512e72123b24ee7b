"""Both games as PettingZoo environments (docs/research.md).

Importing this module registers them: `pettingzoo.make("aec", "pytlik/unikat_v0")`.
"""

from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    from pettingzoo import register
    from pettingzoo.utils import wrappers

    from pytlik.adapters.ubongo_env import UbongoEnv
    from pytlik.adapters.unikat_env import UnikatEnv

__all__ = ["UbongoEnv", "UnikatEnv", "ubongo_parallel_env", "unikat_env"]


def unikat_env(players: int = 2, **more: Any) -> Any:
    """A round of Unikat for agents that take turns, in PettingZoo's usual wrappers: an agent loses
    if it does an illegal step, and calls in the wrong order raise an error."""
    env = UnikatEnv(players, **more)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def ubongo_parallel_env(players: int = 2, **more: Any) -> UbongoEnv:
    """Rounds of Ubongo, in which everyone solves at the same time while the sand runs."""
    return UbongoEnv(players, **more)


register("aec", f"pytlik/{UnikatEnv.metadata['name']}", unikat_env)
register("parallel", f"pytlik/{UbongoEnv.metadata['name']}", ubongo_parallel_env)
