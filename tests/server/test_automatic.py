"""Bots think in processes that stand back behind whoever waits for an answer."""

import asyncio
import os

import pytest

from pytlik.server.automatic import POLITE, Automatic


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no nice values")
def test_whoever_waits_for_an_answer_comes_before_bots() -> None:
    async def think() -> int:
        bots = Automatic(1)
        try:
            return await bots.compute(os.nice, 0)
        finally:
            bots.close()

    assert asyncio.run(think()) == min(19, os.nice(0) + POLITE)
