"""How late or inexact something may be before a promise is broken."""

MAX_UPDATE_SECONDS = 2.5
"""After this time, everyone who is connected has the newest view: the two seconds that the
documents promise, and the way to a client."""

MAX_ANSWER_SECONDS = 8.0
"""Within this time, everyone who stays connected gets an answer: longer than a worker waits for a
store that has just come back."""

MAX_UNAVAILABLE_SECONDS = 4.0
"""After something was wrong, nobody has to try again for longer than this."""

MAX_OVERDUE_SECONDS = 5.0
"""Within this time, whatever is due happens, once nothing is in its way."""

MAX_EARLY_SECONDS = 2.5
"""How much clocks may differ, plus a heartbeat: nothing may happen earlier than that."""

MAX_LATE_SECONDS = 0.6
"""How late the clock and the bots may act when all is well: less than the second after which every
worker looks for due deadlines."""

MAX_EXTRA_SECONDS = 2.5
"""How much more time than agreed someone may get: a gap between heartbeats is counted from the last
one."""

MAX_CLOCK_ERROR_SECONDS = 0.1
"""How much the clocks of workers differ at most, even with a slow connection to the store."""

MAX_UNNOTICED_BREAK_SECONDS = 2.0
"""How long each break in which nobody can act may last unnoticed (`heartbeat.MAX_GAP_MS`)."""
