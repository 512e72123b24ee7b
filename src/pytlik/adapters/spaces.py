"""The spaces of observations and actions, as Gymnasium describes them."""

from collections.abc import Sequence

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import gymnasium
    import numpy as np


def make_spaces(
    agents: Sequence[str], size: int, actions: int
) -> tuple[dict[str, gymnasium.spaces.Dict], dict[str, gymnasium.spaces.Discrete]]:
    """An observation space and an action space for every agent, so that each can be seeded on its
    own."""
    return (
        {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 255, (size,), np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in agents
        },
        {agent: gymnasium.spaces.Discrete(actions) for agent in agents},
    )
