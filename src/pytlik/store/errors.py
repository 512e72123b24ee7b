"""The errors that the store raises."""


class Conflict(Exception):
    """Another writer was first: read again, and decide again."""


class Duplicate(Exception):
    """The command was done before, and the log had reached `seq` then."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Unavailable(Exception):
    """The store can't be reached or can't write now. Nothing has changed, unless the connection
    broke at the last moment: so read again before doing anything else."""


class Unusable(Exception):
    """The database can't be used until somebody fixes it. The text says how."""
