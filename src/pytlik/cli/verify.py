"""`pytlik verify`: repeats a match from its seed and names the first event that is wrong."""

import argparse
import json
from pathlib import Path

from pytlik import matchfile
from pytlik.i18n import Catalogue


def add_arguments(parser: argparse.ArgumentParser, translate: Catalogue) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=translate("cli.match_file"))
    parser.add_argument("--json", action="store_true", help=translate("cli.json"))


def run(args: argparse.Namespace, translate: Catalogue) -> int:
    match = matchfile.decode(args.file.read_bytes())
    finding = matchfile.verify(match)
    kind = ""
    if finding and finding.event is not None and finding.event < len(match.events):
        kind = match.events[finding.event].__struct_config__.tag
    if args.json:
        print(
            json.dumps(
                {
                    "verified": finding is None,
                    "events": len(match.events),
                    "flaw": finding and finding.flaw,
                    "event": finding and finding.event,
                    "first_game": match.has_known_deal,
                }
            )
        )
    elif finding is None:
        print(translate("verify.good", n=len(match.events), game=match.game.name))
        if match.has_known_deal:
            print(translate("verify.first_game"))
    else:
        print(translate(f"verify.{finding.flaw}", event=finding.event, kind=kind))
    return 0 if finding is None else 1
