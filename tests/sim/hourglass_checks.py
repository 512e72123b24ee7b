"""Checks that sand runs for exactly as long as it should."""

from typing import TYPE_CHECKING, Any

from pytlik.server.app import RESUME_COUNTDOWN_MS
from pytlik.server.match.deadlines import table_id_of
from pytlik.ubongo.messages import ClocksShifted, RoundBegan, SandRanOut, SecondChanceBegan
from tests.sim.replayed_match import ReplayedMatch
from tests.sim.tolerances import (
    MAX_EARLY_SECONDS,
    MAX_UNNOTICED_BREAK_SECONDS,
    MAX_UPDATE_SECONDS,
)

if TYPE_CHECKING:
    from tests.sim.server_promises import ServerPromises

MAX_PAUSE_ERROR_MS = 100
"""By how much sand may run longer or shorter after a pause."""

LAST_HEARTBEAT_QUERY = "SELECT at FROM beats WHERE id = 1"


def check_sand(promises: "ServerPromises", match: str, log: ReplayedMatch, event: Any) -> None:
    active = promises.world.active_seconds
    match event:
        case RoundBegan(sand=int(sand), at=at) | SecondChanceBegan(sand=int(sand), at=at):
            log.sand, log.breaks_before_sand = (
                (active, (sand - at) / 1000),
                promises.world.break_count,
            )
            log.sand_turned_at = at
        case SandRanOut() if log.sand:
            began, seconds = log.sand
            promises.checked["sand runs for its full time"] += 1
            ran = active - began
            lost = MAX_UNNOTICED_BREAK_SECONDS * (
                promises.world.break_count - log.breaks_before_sand
            )
            promises.check(
                ran >= seconds - MAX_EARLY_SECONDS - lost,
                f"the sand of {match} ran for {ran:.1f} s in which people could act, instead of"
                f" {seconds:.0f} s",
            )


def record_heartbeat(promises: "ServerPromises") -> None:
    """Note the newest heartbeat. Call this when one may have been written."""
    ((last,),) = promises.world.database.query(LAST_HEARTBEAT_QUERY)
    if last not in promises.heartbeats[-1:]:
        promises.heartbeats.append(last)


def check_clock_shift(
    promises: "ServerPromises",
    match: str,
    log: ReplayedMatch,
    event: ClocksShifted,
    *,
    ends_pause: bool,
) -> None:
    """Clocks are moved by the length of a pause with its countdown, or of a time without
    heartbeats. Each of them moves a clock only once, however many workers wake up together, and
    only if the clock was running at the time."""
    promises.checked["clocks are moved once for each downtime"] += 1
    if ends_pause:
        countdown = 0 if event.resumes is None else event.resumes - event.at
        # By the clocks of two workers, a short pause may end before it began.
        passed = max(0, event.at - log.paused_at)
        is_race = bool(log.game.awaited(log.states[-2]))
        promises.check(
            countdown == (RESUME_COUNTDOWN_MS if is_race else 0)
            and abs(passed + countdown - event.by) <= MAX_PAUSE_ERROR_MS,
            f"{match} is moved by {event.by} ms after a pause of {passed} ms and a countdown of"
            f" {countdown} ms",
        )
        return
    if event.by < 0:
        check_skipped_time(promises, match, log, event)
        return
    beats = promises.heartbeats
    gaps = {
        last: until - last
        for last, until in zip(beats, (*beats[1:], event.at), strict=True)
        if until - last - log.downtimes[last] >= event.by
        and until - log.sand_turned_at >= event.by - 1000 * MAX_UNNOTICED_BREAK_SECONDS
    }
    if not gaps:
        promises.report_broken(
            f"{match} is moved by {event.by} ms, but workers had heartbeats in that time"
        )
        return
    log.downtimes[min(gaps, key=lambda last: gaps[last])] += event.by


def check_skipped_time(
    promises: "ServerPromises", match: str, log: ReplayedMatch, event: ClocksShifted
) -> None:
    """Time is skipped only while nobody but bots is solving, and only up to the next deadline of
    the rules."""
    promises.checked["time is skipped only for bots"] += 1
    table, awaited = promises.tables[table_id_of(match)], log.game.awaited(log.states[-2])
    promises.check(
        awaited and all(table.chairs[seat].bot for seat in awaited),
        f"{match} is moved by {event.by} ms while it waits for {awaited}",
    )
    due = log.game.deadline(log.state)
    promises.check(
        due is None
        or due > event.at - 1000 * MAX_UPDATE_SECONDS
        or promises.world.seconds_healthy < MAX_UPDATE_SECONDS,
        f"{match} is moved by {event.by} ms, which is {event.at - (due or 0)} ms too far",
    )
    if log.sand:
        log.sand = log.sand[0], log.sand[1] + event.by / 1000
