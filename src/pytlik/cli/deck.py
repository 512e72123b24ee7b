"""`pytlik deck`: makes Ubongo cards from a seed, or checks a deck file from scratch."""

import argparse
import json
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress

from pytlik.atomic_file import write_file_atomically
from pytlik.i18n import Catalogue
from pytlik.ubongo import deck_files


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("--seed", default="pytlik", help=translate("cli.deck.seed"))
    parser.add_argument(
        "--cards", type=parse_card_count, default=54, metavar="N", help=translate("cli.deck.cards")
    )
    parser.add_argument(
        "--pieces",
        type=parse_sides,
        default=(3, 4),
        metavar="3,4,5",
        help=translate("cli.deck.pieces"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.deck.out"))
    parser.add_argument("--check", type=Path, metavar="FILE", help=translate("cli.deck.check"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def parse_card_count(text: str) -> int:
    if not 1 <= (value := int(text)) <= 1000:
        raise ValueError
    return value


def parse_sides(text: str) -> tuple[int, ...]:
    values = tuple(sorted({int(part) for part in text.split(",")}))
    if not set(values) <= {3, 4, 5}:
        raise ValueError
    return values


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    return check(args, translate) if args.check else generate(args, translate)


def generate(args: argparse.Namespace, translate: Catalogue) -> int:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(translate("deck.making"), total=None)
        deck = deck_files.generate(
            args.seed,
            args.cards,
            args.pieces,
            lambda done, total: bar.update(task, completed=done, total=total),
        )
    data = deck_files.encode(deck)
    if args.out:
        write_file_atomically(args.out, data)
        puzzles = sum(len(side.sets) for card in deck.cards for side in card.sides.values())
        if args.json:
            print(json.dumps({"cards": len(deck.cards), "puzzles": puzzles}))
        else:
            print(translate("deck.made", n=len(deck.cards), puzzles=puzzles, file=args.out))
    else:
        sys.stdout.buffer.write(data)
    return 0


def check(args: argparse.Namespace, translate: Catalogue) -> int:
    deck = deck_files.decode_deck(args.check.read_bytes())
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(translate("deck.checking"), total=None)
        problems = deck_files.check(
            deck, lambda done, total: bar.update(task, completed=done, total=total)
        )
    if args.json:
        listed = msgspec.to_builtins(problems)
        print(json.dumps({"good": not problems, "cards": len(deck.cards), "problems": listed}))
    elif problems:
        for problem in problems:
            print(describe_problem(problem, translate))
    else:
        print(translate("deck.good", n=len(deck.cards)))
    return 1 if problems else 0


def describe_problem(problem: deck_files.Problem, translate: Catalogue) -> str:
    places = {
        "card": problem.card,
        "side": problem.side,
        "colour": problem.colour,
        "piece": problem.piece,
    }
    where = ", ".join(
        translate(f"deck.where.{name}", value=value)
        for name, value in places.items()
        if value is not None
    )
    what = translate(f"deck.problem.{problem.code}")
    return f"{where}: {what}" if where else what
