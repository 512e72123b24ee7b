# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The evaluation as a class that Python code uses."""

COMPILED = not __file__.endswith(".py")

if not COMPILED:
    from pytlik.unikat.engine.evaluation.candidate_actions import *
    from pytlik.unikat.engine.evaluation.guesses import *
    from pytlik.unikat.engine.kernel.round import *


class RoundEvaluator:
    """Finds and evaluates what can be done in a Round, guesses hidden hands, and plays rounds to
    their end."""

    def __cinit__(self) -> None:
        self.evaluator = new_evaluator()
        self.played = new_table()
        self.guessed = new_table()
        self.evaluator.node_limit = 5000

    def __init__(self) -> None:
        if not COMPILED:
            self.__cinit__()

    def __dealloc__(self) -> None:
        free_evaluator(self.evaluator)
        free_table(self.played)
        free_table(self.guessed)

    def set_weights(self, flat: list[float], growing_hand_penalty: float) -> None:
        """Evaluate with these weights, as from `Weights.flat_weights`."""
        for place in range(2 * FEATURES):
            self.evaluator.weights[place] = flat[place]
        self.evaluator.growing_hand_penalty = growing_hand_penalty

    @property
    def growing_hand_penalty(self) -> float:
        return self.evaluator.growing_hand_penalty

    def set_node_limit(self, nodes: int) -> None:
        """Limit each search for chains."""
        self.evaluator.node_limit = nodes

    def find_candidates(self, round_: "Round") -> int:
        """Find and evaluate everything that the seat to move can do. Returns how many candidates
        there are; the next three methods identify them by number."""
        self.evaluator.quick = 0
        find_candidates(self.evaluator, round_.table)
        return self.evaluator.candidates

    def best_candidate(self) -> int:
        return best_candidate(self.evaluator)

    def candidate_at(self, number: int) -> tuple[int, int, int, float]:
        """A candidate's kind, its two arguments, and its value."""
        evaluator = self.evaluator
        return (
            evaluator.kind[number],
            evaluator.one[number],
            evaluator.other[number],
            evaluator.value[number],
        )

    def candidate_steps(self, round_: "Round", number: int) -> list[int]:
        evaluator = self.evaluator
        kind = evaluator.kind[number]
        one = evaluator.one[number]
        other = evaluator.other[number]
        if kind == SWAP:
            return [GIVE + one, BAG if other < 0 else TAKE + other]
        if kind == TAKE_TILE:
            return [BAG if one < 0 else TAKE + one]
        if kind == END:
            return [STOP]
        t = self.played
        copy_table(round_.table, t)
        steps = []
        for place in range(evaluator.out_length if kind == GO_OUT else evaluator.length[one]):
            if kind == GO_OUT:
                tile = evaluator.out_tile[place]
                cell = evaluator.out_cell[place]
            else:
                tile = evaluator.chain_tile[one * 10 + place]
                cell = evaluator.chain_cell[one * 10 + place]
            steps.append(lay_number(t, tile, t.at[cell] - EDGE))
            lay(t, tile, cell)
        if t.phase == CHAIN:
            steps.append(STOP)
        return steps

    def hand_features(
        self, round_: "Round", seat: int, moment: int
    ) -> tuple[list[int], list[float], float]:
        """The features of a seat's current hand, the amount of each, and the hand's value."""
        evaluator = self.evaluator
        value = evaluate_seat(evaluator, round_.table, seat, moment)
        return (
            [evaluator.feature[place] for place in range(evaluator.features)],
            [evaluator.amount[place] for place in range(evaluator.features)],
            value,
        )

    def guess(self, round_: "Round", chance: int, seat: int) -> None:
        """Guess what a seat may not know."""
        copy_table(round_.table, self.guessed)
        self.guessed.chance = chance
        guess_unknown(self.guessed, seat)
        improve_guessed_hands(self.evaluator, self.guessed, seat)

    @property
    def guessed_hands(self) -> list[list[int]]:
        t = self.guessed
        return [
            [t.hand[seat * 12 + place] for place in range(t.hand_count[seat])]
            for seat in range(t.players)
        ]

    def play_guess(self, steps: list[int]) -> tuple[int, list[int]]:
        """Play the latest guess: first these steps, then what evaluates best for everyone, to the
        end of the round. Returns the winners, a bit for each seat, and the number of tiles left in
        each hand."""
        t = self.played
        copy_table(self.guessed, t)
        for step in steps:
            do_step(t, step)
        play_to_end(self.evaluator, t)
        return t.winners, [t.hand_count[seat] for seat in range(t.players)]
