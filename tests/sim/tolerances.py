"""How late or inexact something may be before a promise is broken."""

MAX_UPDATE_SECONDS = 2.5
"""After this everyone who is connected has the newest view: the two seconds that the documents
promise, and the way to a client."""

MAX_ANSWER_SECONDS = 8.0
"""Within this everyone who stays connected gets an answer: longer than a worker waits for a store
that has just come back."""

MAX_UNAVAILABLE_SECONDS = 4.0
"""Within this, after something was wrong, nobody has to try again any more."""

MAX_OVERDUE_SECONDS = 5.0
"""Within this whatever is due happens, once nothing is in its way."""

MAX_EARLY_SECONDS = 2.5
"""How much clocks may differ, and a heartbeat more: nothing may be earlier than that."""

MAX_LATE_SECONDS = 0.6
"""How late the clock and the bots act at most where all is well: less than the second after which
every worker looks for what is due."""

MAX_LONGER_SECONDS = 2.5
"""How much more time than agreed somebody may get: a gap between heartbeats counts from the last
one."""

MAX_CLOCK_ERROR_SECONDS = 0.1
"""How much the clocks of workers differ at most, even if the way to the store is slow."""

MAX_UNNOTICED_BREAK_SECONDS = 2.0
"""How long nobody can act without anybody noticing, each time (`heartbeat.MAX_GAP_MS`)."""
