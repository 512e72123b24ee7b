"""Why the server refuses something, and all codes that a client may receive."""

from enum import StrEnum

from pytlik.extras import ExtraReason
from pytlik.game import Reason
from pytlik.games import GAMES


class ServerReason(StrEnum):
    """Codes of the server. The sentences are in the catalogues."""

    # Tables.
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_MATCH = "no_such_match"
    NO_SUCH_DAY = "no_such_day"
    NOT_HOST = "not_host"
    SEAT_TAKEN = "seat_taken"
    SEAT_FREE = "seat_free"
    SAT_ELSEWHERE = "sat_elsewhere"
    HOST_LOOKS_ON = "host_looks_on"
    REMOVED = "removed"
    TABLE_LOCKED = "table_locked"
    NEEDS_AGREEMENT = "needs_agreement"
    TABLE_FULL = "table_full"
    TABLE_RUNNING = "table_running"
    TABLE_NOT_RUNNING = "table_not_running"
    NOT_EVERYONE = "not_everyone"
    TOO_FEW_PLAYERS = "too_few_players"
    MATCH_NOT_OVER = "match_not_over"
    OTHER_MATCH = "other_match"
    PAUSED = "paused"
    TOO_MANY_PAUSES = "too_many_pauses"
    TOO_MANY_MATCHES = "too_many_matches"
    NOT_AWAITED = "not_awaited"
    ALREADY_NUDGED = "already_nudged"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    BAD_CODE = "bad_code"
    # Circles.
    NO_SUCH_CIRCLE = "no_such_circle"
    NOT_IN_CIRCLE = "not_in_circle"
    NOT_KEEPER = "not_keeper"
    CIRCLE_FULL = "circle_full"
    REMOVED_FROM_CIRCLE = "removed_from_circle"
    ALREADY_IN_CIRCLE = "already_in_circle"
    # Puzzles of the day.
    NOT_STARTED = "not_started"
    DAY_OVER = "day_over"
    # The server as a whole.
    NOT_FOUND = "not_found"
    WRONG_METHOD = "wrong_method"
    TOO_LARGE = "too_large"
    TOO_FAST = "too_fast"
    WRONG_ORIGIN = "wrong_origin"
    WRONG_HOST = "wrong_host"
    BAD_TOKEN = "bad_token"
    NOT_ADMIN = "not_admin"
    PASSPHRASE_NEEDED = "passphrase_needed"
    WRONG_PASSPHRASE = "wrong_passphrase"
    UNAVAILABLE = "unavailable"
    MUTED = "muted"
    NO_CHAT = "no_chat"
    INTERNAL = "internal"


def all_reasons() -> tuple[StrEnum, ...]:
    """Every code that any refusal can have."""
    games = (code for game in GAMES.values() for code in game.refusals)
    return (*Reason, *ServerReason, *ExtraReason, *games)
