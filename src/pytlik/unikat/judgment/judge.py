# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""What Python holds of the judgment: a mind that can be asked."""

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.judgment.guesses import *
    from pytlik.unikat.judgment.options import *
    from pytlik.unikat.kernel.round import *


class Judge:
    """A mind that can be asked."""

    def __cinit__(self) -> None:
        self.mind = new_mind()
        self.spare = new_table()
        self.guessed = new_table()
        self.mind.limit = 5000

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        drop_mind(self.mind)
        drop_table(self.spare)
        drop_table(self.guessed)

    def set_weights(self, weights: list[float]) -> None:
        for place in range(2 * FEATURES):
            self.mind.weights[place] = weights[place]

    def set_limit(self, nodes: int) -> None:
        self.mind.limit = nodes

    @property
    def grows(self) -> float:
        """By so much a swap for an unseen tile is worse if a draw follows: one more to lay."""
        return self.mind.weights[GROWS]

    def consider(self, round_: "Round") -> int:
        """How many options the one to move has."""
        self.mind.quick = 0
        weigh(self.mind, round_.table)
        return self.mind.options

    def best(self) -> int:
        return best_option(self.mind)

    def seen_option(self, number: int) -> tuple[int, int, int, float]:
        q = self.mind
        return q.kind[number], q.one[number], q.other[number], q.value[number]

    def choose(self, round_: "Round", number: int) -> None:
        do_option(self.mind, round_.table, number)

    def steps(self, round_: "Round", number: int) -> list[int]:
        """The steps of an option."""
        q = self.mind
        kind = q.kind[number]
        if kind == SWAP:
            return [GIVE + q.one[number], BAG if q.other[number] < 0 else TAKE + q.other[number]]
        if kind == TAKING_ONE:
            return [BAG if q.one[number] < 0 else TAKE + q.one[number]]
        if kind == ENDING:
            return [STOP]
        t = self.spare
        copy_table(round_.table, t)
        length = q.out_length if kind == OUT else q.length[q.one[number]]
        first = q.one[number] * 10
        found = []
        for place in range(length):
            if kind == OUT:
                tile = q.out_tile[place]
                cell = q.out_cell[place]
            else:
                tile = q.chain_tile[first + place]
                cell = q.chain_cell[first + place]
            found.append(lay_number(t, tile, t.at[cell] - EDGE))
            lay(t, tile, cell)
        if t.phase == CHAIN:
            found.append(STOP)
        return found

    def guess(self, round_: "Round", chance: int, seat: int) -> None:
        """Make up what a seat may not know."""
        copy_table(round_.table, self.guessed)
        self.guessed.chance = chance
        mix_unknown(self.guessed, seat)
        settle(self.mind, self.guessed, seat)

    @property
    def guessed_hands(self) -> list[list[int]]:
        t = self.guessed
        return [
            [t.hand[seat * 12 + place] for place in range(t.hand_count[seat])]
            for seat in range(t.players)
        ]

    def imagine(self, steps: list[int]) -> None:
        """With the last guess play steps, and then everyone as this mind would, to the end of the
        round."""
        t = self.spare
        copy_table(self.guessed, t)
        for step in steps:
            play(t, step)
        play_on(self.mind, t)

    @property
    def imagined(self) -> tuple[int, list[int]]:
        """Who wins so, a bit a seat, and how many tiles the hands hold then."""
        t = self.spare
        return t.winners, [t.hand_count[seat] for seat in range(t.players)]

    def described(
        self, round_: "Round", seat: int, moment: int
    ) -> tuple[list[int], list[float], float]:
        q = self.mind
        value = judge_seat(q, round_.table, seat, moment)
        return (
            [q.part[place] for place in range(q.parts)],
            [q.amount[place] for place in range(q.parts)],
            value,
        )
