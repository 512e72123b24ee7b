"""Solutions of cards, for people who didn't find them."""

from pytlik.ubongo import kernel
from pytlik.ubongo.hexes import Shape
from pytlik.ubongo.model import Deal


def find_solution(deal: Deal) -> dict[int, Shape] | None:
    """Where each piece lies in a solution; None if there is none."""
    found = kernel.first(deal.area, list(deal.pieces.values()))
    return dict(zip(deal.pieces, found, strict=True)) if found else None
