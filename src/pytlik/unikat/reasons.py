"""Reasons for refusals that only Unikat has."""

from enum import StrEnum


class UnikatReason(StrEnum):
    # Actions, in the order in which they are checked.
    NOT_IN_HAND = "not_in_hand"
    TILE_TWICE = "tile_twice"
    NO_TILES = "no_tiles"
    TOUCHES_NOTHING = "touches_nothing"
    NOT_NEXT_TO_LAST = "not_next_to_last"
    UNLIKE_NEIGHBOUR = "unlike_neighbour"
    NOT_IN_DISPLAY = "not_in_display"
    SAME_TILE = "same_tile"
    BAG_EMPTY = "bag_empty"
    MUST_ACT = "must_act"
    TOO_MANY_SWAPS = "too_many_swaps"
    # Positions, as the referee reads them.
    BAD_POSITION = "bad_position"
