# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Finds all candidate actions with the value of what they leave, and does them."""

if __file__.endswith(".py"):
    from pytlik.unikat.engine.evaluation.evaluate import *
    from pytlik.unikat.engine.evaluation.table_chains import *
    from pytlik.unikat.engine.kernel.actions import *


# ----------------------------------------------------------------------------------- finding them


def add_candidate(evaluator: "Evaluator", kind: int, one: int, other: int, value: float) -> None:
    number = evaluator.candidates
    evaluator.candidates = number + 1
    evaluator.kind[number] = kind
    evaluator.one[number] = one
    evaluator.other[number] = other
    evaluator.value[number] = value


def find_candidates(evaluator: "Evaluator", t: "Table") -> None:
    """Find everything that the seat to move can do."""
    evaluator.candidates = 0
    load_hand(evaluator, t, t.to_move)
    if t.phase == DRAW:
        add_draws(evaluator, t)
        return
    if can_go_out(evaluator, t, 0) or (t.phase == ACTION and can_go_out(evaluator, t, 1)):
        add_candidate(evaluator, GO_OUT, 0, 0, 99.0)
        if evaluator.quick:
            return
    find_chains(evaluator, t, 1 if t.phase == ACTION else 0)
    add_actions(evaluator, t)
    if evaluator.candidates == 0:
        add_candidate(evaluator, END, 0, 0, 0.0)


def add_draws(evaluator: "Evaluator", t: "Table") -> None:
    hand = evaluator.hand
    low = evaluator.display_low
    high = evaluator.display_high
    if t.bag_next < t.bag_end:
        value = evaluate_hand(evaluator, t, hand, 0, low, high, BEFORE_DRAW)
        add_candidate(evaluator, TAKE_TILE, -1, 0, value)
    for place in range(t.display_count):
        tile = t.display[place]
        if evaluator.quick and evaluator.candidates and evaluator.partners[tile] == 0:
            continue
        compute_fewest_chains_with(evaluator, tile)
        value = evaluate_hand_with(
            evaluator, t, hand, 0, low & ~LOW[tile], high & ~HIGH[tile], AFTER_TURN
        )
        add_candidate(evaluator, TAKE_TILE, tile, 0, value)


def add_actions(evaluator: "Evaluator", t: "Table") -> None:
    """Add swaps, then lays with the best draw after what each leaves."""
    collect_remainders(evaluator, t)
    evaluate_remainders(evaluator, t)
    if t.bag_next < t.bag_end:
        add_unseen_swaps(evaluator, t)
    for place in range(t.display_count):
        tile = t.display[place]
        if evaluator.quick and t.bag_next < t.bag_end and evaluator.partners[tile] == 0:
            continue  # the bag is as good
        compute_fewest_chains_with(evaluator, tile)
        improve_remainders(evaluator, t, tile)
        add_swaps_for(evaluator, t, tile)
    for number in range(evaluator.found):
        if evaluator.left[number]:
            add_candidate(evaluator, LAY, number, 0, best_after_lay(evaluator, number))
    if t.phase == BONUS:
        add_candidate(evaluator, END, 0, 0, evaluator.left_value[evaluator.hand])


def collect_remainders(evaluator: "Evaluator", t: "Table") -> None:
    """Collect the sets of tiles that a turn can leave. The places of a second chain on the table
    aren't checked."""
    evaluator.remainders = 0
    for number in range(evaluator.found):
        rest = evaluator.left[number]
        add_remainder(evaluator, rest)
        if evaluator.earns[number]:
            startable = evaluator.starts | partners_of(evaluator, evaluator.hand ^ rest)
            chain = rest
            while chain:
                if evaluator.chains[chain] == 1 and evaluator.ends[chain] & startable:
                    add_remainder(evaluator, rest ^ chain)
                chain = (chain - 1) & rest
    if t.phase == BONUS:
        add_remainder(evaluator, evaluator.hand)


def add_remainder(evaluator: "Evaluator", tiles: int) -> None:
    if evaluator.remainder_stamp[tiles] != evaluator.stamp:
        evaluator.remainder_stamp[tiles] = evaluator.stamp
        evaluator.remainder[evaluator.remainders] = tiles
        evaluator.remainders += 1


def evaluate_remainders(evaluator: "Evaluator", t: "Table") -> None:
    """Evaluate each remainder with a draw from the bag, or without a draw if there's nothing to
    draw."""
    hand = evaluator.hand
    low = evaluator.display_low
    high = evaluator.display_high
    for number in range(evaluator.remainders):
        tiles = evaluator.remainder[number]
        if tiles == 0:
            value = -99.0  # can_go_out decides this, with places on the table
        elif t.bag_next < t.bag_end:
            value = evaluate_hand(evaluator, t, tiles, hand ^ tiles, low, high, BEFORE_DRAW)
        elif t.display_count:
            value = -99.0
        else:
            value = evaluate_hand(evaluator, t, tiles, hand ^ tiles, low, high, AFTER_TURN)
        evaluator.left_value[tiles] = value


def improve_remainders(evaluator: "Evaluator", t: "Table", tile: int) -> None:
    """Do the same for a draw of this tile from the display, and keep the better value. It must be
    the extra tile."""
    low = evaluator.display_low & ~LOW[tile]
    high = evaluator.display_high & ~HIGH[tile]
    for number in range(evaluator.remainders):
        tiles = evaluator.remainder[number]
        if tiles:
            laid = evaluator.hand ^ tiles
            value = evaluate_hand_with(evaluator, t, tiles, laid, low, high, AFTER_TURN)
            evaluator.left_value[tiles] = max(evaluator.left_value[tiles], value)


def best_after_lay(evaluator: "Evaluator", number: int) -> float:
    """The best value after a chain, or after a second one if it earns a double turn."""
    rest = evaluator.left[number]
    best = evaluator.left_value[rest]
    if evaluator.earns[number]:
        startable = evaluator.starts | partners_of(evaluator, evaluator.hand ^ rest)
        chain = rest
        while chain:
            if evaluator.chains[chain] == 1 and evaluator.ends[chain] & startable:
                best = max(best, evaluator.left_value[rest ^ chain])
            chain = (chain - 1) & rest
    return best


def add_unseen_swaps(evaluator: "Evaluator", t: "Table") -> None:
    for place in range(evaluator.count):
        given = evaluator.tile[place]
        value = evaluate_hand(
            evaluator,
            t,
            evaluator.hand ^ (1 << place),
            0,
            evaluator.display_low | LOW[given],
            evaluator.display_high | HIGH[given],
            BEFORE_DRAW,
        )
        if evaluator.count < 10:
            value -= evaluator.growing_hand_penalty
        add_candidate(evaluator, SWAP, given, -1, value)


def add_swaps_for(evaluator: "Evaluator", t: "Table", tile: int) -> None:
    """Add the swaps that take this tile of the display. It must be the extra tile."""
    for place in range(evaluator.count):
        given = evaluator.tile[place]
        value = evaluate_hand_with(
            evaluator,
            t,
            evaluator.hand ^ (1 << place),
            0,
            (evaluator.display_low & ~LOW[tile]) | LOW[given],
            (evaluator.display_high & ~HIGH[tile]) | HIGH[given],
            AFTER_TURN if evaluator.count == 10 else BEFORE_DRAW,
        )
        add_candidate(evaluator, SWAP, given, tile, value)


# ------------------------------------------------------------------------------------ doing them


def best_candidate(evaluator: "Evaluator") -> int:
    best = 0
    for number in range(1, evaluator.candidates):
        if evaluator.value[number] > evaluator.value[best]:
            best = number
    return best


def do_candidate(evaluator: "Evaluator", t: "Table", number: int) -> None:
    kind = evaluator.kind[number]
    one = evaluator.one[number]
    if kind == GO_OUT:
        for place in range(evaluator.out_length):
            lay(t, evaluator.out_tile[place], evaluator.out_cell[place])
        if t.phase == CHAIN:
            stop(t)
    elif kind == LAY:
        for place in range(one * 10, one * 10 + evaluator.length[one]):
            lay(t, evaluator.chain_tile[place], evaluator.chain_cell[place])
        if t.phase == CHAIN:
            stop(t)
    elif kind == SWAP:
        give(t, one)
        take_tile(t, evaluator.other[number])
    elif kind == TAKE_TILE:
        take_tile(t, one)
    else:
        stop(t)


def take_tile(t: "Table", tile: int) -> None:
    """Take this tile of the display, or one from the bag if it's -1."""
    if tile < 0:
        take_unseen(t)
    else:
        take(t, tile)


def play_to_end(evaluator: "Evaluator", t: "Table") -> None:
    """Play the best candidate for every seat, to the end of the round."""
    evaluator.quick = 1
    while t.phase != OVER:
        find_candidates(evaluator, t)
        do_candidate(evaluator, t, best_candidate(evaluator))
