"""What agents see and do, as Gymnasium describes it."""

from collections.abc import Sequence

import gymnasium
import numpy as np


def spaces(
    agents: Sequence[str], size: int, actions: int
) -> tuple[dict[str, gymnasium.spaces.Dict], dict[str, gymnasium.spaces.Discrete]]:
    """Of observations and of actions: one for each agent, so that each can be seeded on its own."""
    numbers = gymnasium.spaces.Box(0, 255, (size,), np.uint8)
    bits = gymnasium.spaces.Box(0, 1, (actions,), np.int8)
    return (
        {
            agent: gymnasium.spaces.Dict({"observation": numbers, "action_mask": bits})
            for agent in agents
        },
        {agent: gymnasium.spaces.Discrete(actions) for agent in agents},
    )
