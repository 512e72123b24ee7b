"""Checks that nobody gets more delay credit than the rules of a race allow."""

from typing import TYPE_CHECKING, Any

from pytlik.server.match import delay_credit
from tests.sim.replayed_match import ReplayedMatch

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises


def check_delay_credit(
    promises: "ServerPromises", match: str, log: ReplayedMatch, event: Any
) -> None:
    """Beyond the least delay that a seat has acted with, there is only a small quota for the whole
    match. Someone who answers measurements late when it matters has soon used it up."""
    read = log.game.read_delay_credit
    credit = read(event) if read else None
    if credit is None or not credit.lag:
        return
    promises.checked["nobody gets too much delay credit"] += 1
    least, credited = log.delays.get(credit.seat, (credit.lag, ()))
    used = sum(max(0, each - least) for each in credited)
    most = least + max(0, delay_credit.EXTRA_CREDIT_QUOTA_MS - used)
    promises.check(
        credit.seat not in log.delays or credit.lag <= most,
        f"seat {credit.seat} of {match} is credited a delay of {credit.lag} ms, but at most"
        f" {most} ms may count",
    )
    more = (credit.credited,) if credit.credited else ()
    log.delays[credit.seat] = min(least, credit.lag), (*credited, *more)
