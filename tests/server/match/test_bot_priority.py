"""Bots think in processes of low priority, so that requests are answered first."""

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest

from pytlik.server.match.bot_pool import NICENESS, BotPool, lower_process_priority


def run_in_bot_process(work: Callable[..., Any], *args: Any) -> Any:
    async def think() -> Any:
        bots = BotPool(1)
        try:
            return await bots.compute(work, *args)
        finally:
            bots.close()

    return asyncio.run(think())


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="this system has no such scheduling")
def test_bots_run_with_idle_scheduling() -> None:
    assert run_in_bot_process(os.sched_getscheduler, 0) == os.SCHED_IDLE


def niceness_without_idle_scheduling() -> int:
    def refuse(*_: object) -> None:
        raise PermissionError

    os.sched_setscheduler = refuse
    before = os.nice(0)
    lower_process_priority()
    return os.nice(0) - before


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no nice values")
def test_bots_are_niced_without_idle_scheduling() -> None:
    assert run_in_bot_process(niceness_without_idle_scheduling) == min(NICENESS, 19 - os.nice(0))
