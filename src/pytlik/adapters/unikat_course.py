"""A round of Unikat in which chance moves openly: the deal and every tile out of the bag are steps
of their own, and each seat has a story of what it has seen.

The kernel has a bag with an order. Here that order is made up as it goes, so where chance brings
another tile than the kernel would, the kernel's round is loaded anew.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from pytlik.adapters.unikat_seen import BESIDE, Row, Table, seen
from pytlik.adapters.unikat_steps import NAMES
from pytlik.unikat.engine.kernel import (
    ACTION,
    BAG,
    BONUS,
    CHAIN,
    DRAW,
    GIVE,
    OVER,
    STOP,
    TAKE,
    TAKING,
    Round,
    tile_laid,
)
from pytlik.unikat.engine.kernel_bridge import load_arguments, new_round
from pytlik.unikat.model import DISPLAY_SIZE, HAND_SIZE, TILES, Options

CHANCE = -1
"""Who moves where a seat is expected; that nobody does any more is -2."""
NOBODY = -2

EVERY = range(len(TILES))

ENDED = 10_000
"""In a log: a chain has ended here, and this plus the phase that followed."""

PHASE_NAMES = ("action", "chain", "bonus", "taking", "draw", "over")

Uniform = Callable[[], float]
"""A number from 0 to 1, each as likely as any other."""


class Setup(NamedTuple):
    """What does not change in a round."""

    players: int
    starter: int = 0
    options: Options = Options()

    @property
    def dealt(self) -> int:
        """How many tiles are dealt: hands, display, start tile (U3)."""
        return HAND_SIZE * self.players + DISPLAY_SIZE + 1


class Impossible(Exception):
    """What is made up does not go with what was seen."""


class Course:
    """A round from its deal on, or from a given moment."""

    def __init__(self, setup: Setup, start: Round | None = None, foreseen: Sequence[int] = ()):
        """`start`: instead of dealing. `foreseen`: the kernel's bag, where it matters that it is
        what will come, which saves time, or that it is mixed."""
        self.setup = setup
        self.start = start
        self.round: Round | None = None
        self.log: list[int] = []
        """Steps; tiles that chance brought, as ~tile; and where chains have ended."""
        self.stories = [""] * setup.players
        self.foreseen = foreseen
        self.dealt: list[int] = []
        self.due = 0
        self.extra = False
        self.action_at = 0
        """How long the log was when the latest action began."""
        self.before: Course | None = None
        """How it was then, if somebody has asked."""
        if start is not None:
            self._begin(start.copy())
            public = open_text(start)
            self.stories = [f"from {public} hand {codes(sorted(hand))};" for hand in start.hands]

    def copy(self) -> "Course":
        other = Course.__new__(Course)
        other.__dict__.update(self.__dict__)
        other.round = self.round.copy() if self.round else None
        other.log = self.log.copy()
        other.stories = self.stories.copy()
        other.dealt = self.dealt.copy()
        if self.round:
            other.board = self.board.copy()
            other.place = self.place.copy()
        return other

    def __deepcopy__(self, _memo: object) -> "Course":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel's round can't be pickled, but played again.
        start = None if self.start is None else load_arguments(self.start)
        return unpickled, (self.setup, start, self.log)

    @property
    def played(self) -> Round:
        """The kernel's round, once the deal is done."""
        assert self.round is not None
        return self.round

    @property
    def phase(self) -> int | None:
        """The kernel's; None before the deal is done."""
        return self.round.phase if self.round else None

    @property
    def to_move(self) -> int:
        if self.round is None or self.due:
            return CHANCE
        return NOBODY if self.round.over else self.round.to_move

    def do(self, move: int) -> None:
        """A step of who is to move, or a tile that chance brings."""
        if self.to_move == CHANCE:
            self.bring(move)
        else:
            self.step(move)

    # ------------------------------------------------------------------------------------ chance

    def outcomes(self) -> list[int]:
        """The tiles that chance may bring, each as likely as any other."""
        tiles = EVERY if self.round is None else sorted(self.round.bag)
        return [tile for tile in tiles if tile not in self.dealt]

    def bring(self, tile: int) -> None:
        """Chance brings a tile: of the deal, or out of the bag. Raises ValueError, if it is not
        there to come."""
        left = EVERY if self.round is None else self.round.bag
        if tile not in left or tile in self.dealt:
            raise ValueError(f"chance can't bring tile {tile} now")
        self.log.append(~tile)
        self.dealt.append(tile)
        if self.round is None:
            self._tell_deal(tile)
            if len(self.dealt) == self.setup.dealt:
                self._deal()
        elif len(self.dealt) == self.due:
            self._draw()

    def _tell_deal(self, tile: int) -> None:
        count, hands = len(self.dealt), HAND_SIZE * self.setup.players
        if count <= hands:
            self.stories[(count - 1) // HAND_SIZE] += f" ={TILES[tile]}"
        else:
            sign = "@" if count == self.setup.dealt else "*"
            self._tell(f" {sign}{TILES[tile]}")

    def _deal(self) -> None:
        players, dealt = self.setup.players, self.dealt
        gone = {*dealt, *self.foreseen}
        rest = [tile for tile in range(len(TILES)) if tile not in gone]
        round_ = new_round(self.setup.options)
        round_.load(
            board=[(0, 0, dealt[-1])],
            hands=[dealt[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s in range(players)],
            known=[[] for _ in range(players)],
            display=dealt[HAND_SIZE * players : -1],
            bag=[*self.foreseen, *rest],
            to_move=self.setup.starter,
            phase=ACTION,
            laid=False,
            quiet_turns=0,
        )
        self.dealt = []
        self._begin(round_)
        self._tell(f" p{self.setup.starter}")

    def _begin(self, round_: Round) -> None:
        self.round = round_
        self.board = round_.board
        self.place = {tile: (x, y) for x, y, tile in self.board}

    def _draw(self) -> None:
        """What was asked for happens with the tiles that chance has brought."""
        round_ = self.played
        drawn, self.dealt, self.due = self.dealt, [], 0
        bag = round_.bag
        if bag[: len(drawn)] != drawn:
            rest = [tile for tile in bag if tile not in drawn]
            # The board is at hand, and the kernel takes long to tell it.
            round_.load(**load_arguments(round_, board=self.board, bag=[*drawn, *rest]))
        if self.asked == BAG:
            self.stories[round_.to_move] += f" ={TILES[drawn[0]]}"
        else:
            self._tell("".join(f" *{TILES[tile]}" for tile in drawn))
        self._do(self.asked)

    # ------------------------------------------------------------------------------------- steps

    def legal(self) -> list[int]:
        return sorted(self.played.legal())

    def step(self, step: int) -> None:
        """Whoever is to move does a step. Raises ValueError, if it is not legal."""
        round_ = self.played
        phase = round_.phase
        if not round_.is_legal(step):
            raise ValueError(f"step {step} is not legal now")
        if phase in (ACTION, BONUS):
            self.action_at = len(self.log)
            self.extra = phase == BONUS
        if step == STOP and phase == CHAIN:
            # Whether a chain ends because it must is no business of the others: it depends on a
            # hand. So only its owner is told of the step, and the log has it in either case.
            self.stories[round_.to_move] += " stop"
        else:
            self.log.append(step)
            self._tell(f" {NAMES[step]}")
        self.due = self._draws(step)
        if self.due:
            self.asked = step
        else:
            self._do(step)

    def _draws(self, step: int) -> int:
        """How many tiles a step brings out of the bag."""
        if step == BAG:
            return 1
        round_ = self.played
        if TAKE <= step < BAG and round_.phase == DRAW and len(round_.display) == 1:
            return min(DISPLAY_SIZE, len(round_.bag))  # U14
        return 0

    def _do(self, step: int) -> None:
        round_ = self.played
        phase, seat = round_.phase, round_.to_move
        if step < GIVE:
            x, y = self.place[step >> 5]
            dx, dy = BESIDE[step & 3]
            tile = tile_laid(step)
            self.place[tile] = (x + dx, y + dy)
            self.board.append((x + dx, y + dy, tile))
        round_.step(step)
        after = round_.phase
        if after != CHAIN and (step < GIVE or phase == CHAIN):
            self.log.append(ENDED + after)
        if after == BONUS:
            self._tell(" bonus")
        elif round_.to_move != seat and after != OVER:
            self._tell(f" p{round_.to_move}")

    def _tell(self, what: str) -> None:
        self.stories = [story + what for story in self.stories]

    # -------------------------------------------------------------------------------- what is seen

    def seen(self, seat: int) -> Row | None:
        """What a seat sees; None before the deal is done."""
        course = self._done(seat)
        if course.round is None:
            return None
        return seen(course.round, Table(course.round), seat, extra=course.extra)

    def text(self, seat: int, *, public: bool = True, private: bool = True) -> str:
        """The same in words: what is open, the own hand, or both."""
        course = self._done(seat)
        if course.round is None:
            shown, hand = "deal", self.dealt[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]
        else:
            shown, hand = open_text(course.round), course.round.hands[seat]
        parts = [shown] if public else []
        return " ".join([*parts, f"hand {codes(sorted(hand))}"] if private else parts)

    def everything(self) -> str:
        """All the truth."""
        waits = f" chance brings {self.due or self.setup.dealt} tiles: {codes(self.dealt)}"
        if self.round is None:
            return waits.strip()
        hands = " ".join(
            f"p{seat} {codes(sorted(hand))}" for seat, hand in enumerate(self.round.hands)
        )
        return (
            f"{open_text(self.round)} hands {hands} bag {codes(sorted(self.round.bag))}"
            f"{waits if self.due else ''}"
        )

    def _done(self, seat: int) -> "Course":
        """Others see an action when it is done: for them it is as before it."""
        round_ = self.round
        if round_ is None or round_.phase not in (CHAIN, TAKING) or round_.to_move == seat:
            return self
        if self.before is None or len(self.before.log) != self.action_at:
            self.before = repeated(self.setup, self.start, self.log[: self.action_at])
        return self.before

    # ----------------------------------------------------------------------------- made up anew

    def hidden(self, seat: int) -> list[int]:
        """The tiles of which a seat does not know where they are (U18)."""
        if self.round is None:
            hands = HAND_SIZE * self.setup.players
            mine = self.dealt[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]
            known = {*mine, *self.dealt[hands:]}
            return [tile for tile in range(len(TILES)) if tile not in known]
        found = self.round.bag
        for other, (hand, known_of) in enumerate(
            zip(self.round.hands, self.round.known, strict=True)
        ):
            if other != seat:
                found += [tile for tile in hand if tile not in known_of]
        return sorted(found)

    def other(self, seat: int, uniform: Uniform) -> "tuple[Course, list[int]]":
        """The beginning and the log of a round in which the tiles that a seat can't place have
        changed places, all ways equally likely. `follow` leads to the same moment of it, unless
        the others can't have acted so: then it is Impossible."""
        tiles = self.hidden(seat)
        changed = dict(zip(tiles, shuffled(tiles, uniform), strict=True))
        log = [~changed.get(~entry, ~entry) if entry < 0 else entry for entry in self.log]
        brought = [~entry for entry in log if entry < 0]
        if self.start is None:
            bag = self.round.bag if self.round else []
            to_come = [changed[tile] for tile in bag if tile not in self.dealt]
            return Course(self.setup, foreseen=[*brought[self.setup.dealt :], *to_come]), log
        start = self.start.copy()
        hands = [[changed.get(tile, tile) for tile in hand] for hand in start.hands]
        gone = set(brought)
        bag = [changed.get(tile, tile) for tile in start.bag]
        rest = [tile for tile in bag if tile not in gone]
        start.load(**load_arguments(start, hands=hands, bag=[*brought, *rest]))
        return Course(self.setup, start), log

    def follow(self, log: Sequence[int]) -> Iterator[int]:
        """What to do, one after the other, so that all happens that a log says. The one who asks
        has to do each before asking for the next."""
        for entry in log:
            if entry < 0:
                yield ~entry
                continue
            if entry < ENDED:
                if not self.played.is_legal(entry):
                    raise Impossible
                yield entry
                continue
            if self.played.phase == CHAIN:
                yield STOP
            if self.played.phase != entry - ENDED:
                raise Impossible


def repeated(setup: Setup, start: Round | None, log: Sequence[int]) -> Course:
    """The course that a log leads to."""
    course = Course(setup, start, [~entry for entry in log if entry < 0][setup.dealt :])
    for move in course.follow(log):
        course.do(move)
    return course


def unpickled(setup: Setup, start: dict[str, Any] | None, log: Sequence[int]) -> Course:
    if start is None:
        return repeated(setup, None, log)
    round_ = new_round(setup.options)
    round_.load(**start)
    return repeated(setup, round_, log)


def shuffled(tiles: Sequence[int], uniform: Uniform) -> list[int]:
    order = list(tiles)
    for last in range(len(order) - 1, 0, -1):
        other = int(uniform() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def codes(tiles: Sequence[int]) -> str:
    return ",".join(TILES[tile] for tile in tiles)


def open_text(round_: Round) -> str:
    """What everyone may know."""
    over = round_.phase == OVER
    shown = round_.hands if over else round_.known
    hands = " ".join(
        f"p{seat}:{len(hand)}({codes(sorted(tiles))})"
        for seat, (hand, tiles) in enumerate(zip(round_.hands, shown, strict=True))
    )
    table = " ".join(f"{x},{y}:{TILES[tile]}" for x, y, tile in round_.board)
    return (
        f"p{round_.to_move} {PHASE_NAMES[round_.phase]} laid:{int(round_.laid)}"
        f" quiet:{round_.quiet_turns} {hands} bag:{len(round_.bag)}"
        f" display {codes(sorted(round_.display))} table {table}"
    )
