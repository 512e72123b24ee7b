"""What is happening in a match of Ubongo, in short lines; and how it has ended."""

from collections.abc import Sequence

from rich.text import Text

from pytlik.i18n import Catalogue
from pytlik.terminal.widgets.theme import Palette
from pytlik.text.layout import TextFormat, join_names
from pytlik.text.ubongo.table import LAST_SECONDS_MS, draw_gems, draw_hourglass
from pytlik.ubongo.model import SOLVING_PHASES, Phase
from pytlik.ubongo.view import View

TEXT_FORMAT = TextFormat()


def status_line(view: View, names: Sequence[str], now: int, translate: Catalogue) -> str:
    if view.outcome is not None:
        return result_title(view, names, translate)
    if view.phase is Phase.COUNTDOWN:
        return translate("page.ubongo.coverAll")
    if view.phase is Phase.READY:
        return between_rounds_line(view, names, translate)
    if not view.choices.solve:
        if view.seat is None:
            return translate("page.ubongo.lookingOn")
        return translate(
            "page.ubongo.notInIt" if view.seat not in view.playing else "terminal.done"
        )
    seconds = None if view.sand is None else seconds_until(view.sand, now)
    if seconds is not None and seconds * 1000 <= LAST_SECONDS_MS:
        return translate("page.ubongo.lastSeconds", n=seconds)
    if view.deciding:
        return translate("page.ubongo.line.deciding")
    if view.phase is Phase.SECOND_CHANCE:
        return translate("page.ubongo.line.second")
    assert view.seat is not None
    return translate("page.ubongo.line.solve", n=len(view.deals[view.seat].pieces))


def seconds_until(moment: int, now: int) -> int:
    """Seconds until a moment, rounded up: at 0 it has come."""
    return max(-(-(moment - now) // 1000), 0)


def countdown_end(view: View, now: int) -> int | None:
    """When the countdown before a round or after a pause ends; None if none is running."""
    if view.phase is Phase.COUNTDOWN:
        return view.starts
    is_resuming = view.phase in SOLVING_PHASES and view.resumes is not None and now < view.resumes
    return view.resumes if is_resuming else None


def between_rounds_line(view: View, names: Sequence[str], translate: Catalogue) -> str:
    """What the next round is waiting for."""
    if not view.choices.ready:
        waiting_for = [seat for seat in view.playing if seat not in view.ready]
        return translate("page.ubongo.waitingFor", names=join_names(waiting_for, names, translate))
    if view.deciding:
        return translate("page.ubongo.tie")
    if not view.round:
        return translate("page.ubongo.coverAll")
    return translate("page.ubongo.roundOver", round=view.round, rounds=view.options.rounds)


def result_title(view: View, names: Sequence[str], translate: Catalogue) -> str:
    assert view.outcome is not None
    winners = view.outcome.winners
    if winners == (view.seat,):
        return translate("page.ubongo.end.you") + "  " + translate("play.cheer")
    if len(winners) > 1:
        return translate("page.ubongo.end.shared", names=join_names(winners, names, translate))
    return translate("page.ubongo.end.one", name=names[winners[0]])


def result_text(view: View, names: Sequence[str], translate: Catalogue) -> Text:
    """Everyone's points and gems, the best first."""
    assert view.outcome is not None
    width = max(map(len, names)) + 2
    text = Text()
    for seat in sorted(range(view.players), key=lambda seat: -view.points[seat]):
        star = "★ " if seat in view.outcome.winners else "  "
        text.append(star + names[seat].ljust(width), style="bold")
        text.append(translate("ubongo.points", n=view.points[seat]).rjust(12) + "   ")
        text.append(draw_gems(view.books.held[seat], translate, TEXT_FORMAT)).append("\n")
    if view.deciding:
        text.append("\n" + translate("page.ubongo.end.deciding"))
    return text


def draw_top_line(view: View, now: int, translate: Catalogue, palette: Palette) -> Text:
    """The round, the sand, and the gems left in the display."""
    if view.deciding:
        title = translate("ubongo.deciding")
    elif view.round:
        title = translate("ubongo.round", round=view.round, rounds=view.options.rounds)
    else:
        title = translate("page.first.ubongo.title")
    line = Text(no_wrap=True, overflow="ellipsis").append(title, style="bold")
    if view.phase is Phase.SECOND_CHANCE:
        line.append("  " + translate("ubongo.second_chance"), style=f"bold {palette.warning}")
    if view.phase in SOLVING_PHASES:
        is_last = view.sand is not None and view.sand - now <= LAST_SECONDS_MS
        sand = draw_hourglass(view, now, translate, TEXT_FORMAT).plain
        style = f"bold {palette.warning if is_last else palette.accent}"
        line.append("  " + sand, style=style)
    gems = draw_gems(view.books.display, translate, TEXT_FORMAT)
    if gems:
        line.append(f"  {translate('ubongo.display')} ").append(gems)
    return line
