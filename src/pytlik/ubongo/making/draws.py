# cython: annotation_typing=False, auto_pickle=False
# cython: boundscheck=False, wraparound=False, cdivision=True
"""Numbers that a stream of chance gives, many at once."""

from pytlik.chance import Stream

FULL = 0xFFFFFFFFFFFFFFFF


class Draws:
    """Numbers from a stream, as its `below` gives them, but fetched all at once."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.words: list[int] = []
        self.at = 0

    def fetch(self, number: int) -> int:
        self.words = self.stream.words(number)
        self.at = 0
        return 0

    def below(self, n: int) -> int:
        while True:
            if self.at == len(self.words):
                self.fetch(1)
            drawn = self.words[self.at]
            self.at += 1
            # What is left over above the last full multiple of n is drawn again.
            if drawn <= FULL - (FULL % n + 1) % n:
                return drawn % n
