"""Reasons for refusals that only Ubongo has."""

from enum import StrEnum


class UbongoReason(StrEnum):
    NOT_YOUR_PIECE = "not_your_piece"
    NOT_PLACED = "not_placed"
    WRONG_SHAPE = "wrong_shape"
    OUTSIDE_AREA = "outside_area"
    NOT_COVERED = "not_covered"
    ALREADY_SOLVED = "already_solved"
    GAVE_UP = "gave_up"
    TOO_LATE = "too_late"
    TOO_MANY_MOVES = "too_many_moves"
    # Score sheets, as the referee reads them.
    GEM_NOT_IN_BAG = "gem_not_in_bag"
    SEAT_TWICE = "seat_twice"
    TOO_MANY_ROUNDS = "too_many_rounds"
