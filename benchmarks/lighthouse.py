"""Lighthouse on its mobile profile: the pages, a table of each game before and during its match,
and one of Unikat after it.

    python benchmarks/lighthouse.py [--runs N] [PAGE ...]

Lighthouse (installed from npm into build/lighthouse) slows down network and processor as on a cheap
phone. Anything else that the machine does makes its numbers worse, so the best run of each page
counts. Below each page are Lighthouse's index of this machine's processor (its slowdown of four
times is meant for a desktop computer with some 1,500 to 2,000), the tasks that blocked its main
thread for more than 50 ms, and where the time went. Fails if a score is below 95.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from pytlik.games import BUILT_IN_GAMES
from pytlik.ubongo.model import Phase
from tests.page.browser import find_chromium
from tests.page.scripted_play import play_cards_until, play_until_my_turn, play_until_rounds_over
from tests.page.table_setup import SeatedTable, TableSetup
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parent.parent
LIGHTHOUSE_PACKAGE = "lighthouse@13"
INSTALL_FOLDER = ROOT / "build" / "lighthouse"

SCORE_CATEGORIES = ("performance", "accessibility")
MIN_SCORE = 95

METRICS = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
)
LONG_TASKS_AUDIT = "long-tasks"
TIME_AUDITS = ("bootup-time", "mainthread-work-breakdown")
"""Audits that say where the main thread's time goes."""
ROWS_SHOWN = 4


def find_or_install_lighthouse() -> str:
    program = INSTALL_FOLDER / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        words = [
            "npm",
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(INSTALL_FOLDER),
        ]
        subprocess.run([*words, LIGHTHOUSE_PACKAGE], check=True)
    return str(program)


def run_lighthouse(address: str, token: str | None) -> Any:
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        words = [
            find_or_install_lighthouse(),
            address,
            "--quiet",
            f"--only-categories={','.join(SCORE_CATEGORIES)}",
            "--output=json",
            f"--output-path={report}",
            "--chrome-flags=--headless=new --no-sandbox",
        ]
        if token:
            words.append(f"--extra-headers={json.dumps({'Cookie': f'pytlik={token}'})}")
        environment = os.environ | {"CHROME_PATH": find_chromium()}
        subprocess.run(words, env=environment, check=True)
        return json.loads(report.read_text(encoding="utf-8"))


def read_scores(report: Any) -> dict[str, int]:
    return {name: round(100 * report["categories"][name]["score"]) for name in SCORE_CATEGORIES}


def failed_accessibility_audits(report: Any) -> list[str]:
    """The titles of failed accessibility audits."""
    refs = report["categories"]["accessibility"]["auditRefs"]
    audits = (report["audits"][ref["id"]] for ref in refs)
    return [audit["title"] for audit in audits if audit["score"] == 0]


def describe_time_spent(report: Any) -> Iterator[str]:
    """Where the time went, in milliseconds: long tasks with their beginning, then the scripts and
    kinds of work that took most."""
    for task in report["audits"][LONG_TASKS_AUDIT].get("details", {}).get("items", []):
        script = task.get("url", "").rpartition("/")[2]
        yield f"long task: {task['duration']:.0f} ms at {task['startTime']:.0f} ms {script}"
    for name in TIME_AUDITS:
        rows = report["audits"][name].get("details", {}).get("items", [])
        for row in rows[:ROWS_SHOWN]:
            what = row.get("url") or row.get("groupLabel", "")
            spent = row.get("duration", row.get("total", 0))
            yield f"{name}: {spent:.0f} ms {what.rpartition('/')[2]}"


def pages_to_measure(table_setup: TableSetup) -> dict[str, tuple[str, str | None]]:
    """The address of each page, and the token of the person who looks at it."""

    def at(path: str, seated: SeatedTable | None = None) -> tuple[str, str | None]:
        return f"{table_setup.address}/{path}", seated.token if seated else None

    solving = play_cards_until(lambda state: state.phase is Phase.SOLVING)
    unikat = table_setup.create_match("unikat", 4, play_until_my_turn(1))
    ubongo = table_setup.create_match("ubongo", 4, solving, seconds=600)
    unikat_over = table_setup.create_match("unikat", 2, play_until_rounds_over(1), rounds=1)
    found = {
        "home": at(""),
        "unikat-table": at(f"t/{unikat.table}", unikat),
        "ubongo-table": at(f"t/{ubongo.table}", ubongo),
        "unikat-over": at(f"t/{unikat_over.table}", unikat_over),
        "replay": at(f"replay/{unikat_over.table}/1", unikat_over),
        "screen": at(f"screen/{unikat.table}"),
        "companion": at("companion"),
        "practice": at("practice"),
        "settings": at("settings"),
        "tables": at("tables"),
        "mine": at("mine", unikat),
    }
    for game in BUILT_IN_GAMES:
        lobby = table_setup.create_lobby(game.name, 2)
        found[f"{game.name}-lobby"] = at(f"t/{lobby.table}", lobby)
        for page in ("learn", "rules", "daily", "companion"):
            found[f"{game.name}-{page}"] = at(f"{page}/{game.name}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "page", nargs="*", help="such as home or unikat-table; all if none is named"
    )
    options = parser.parse_args()
    if not shutil.which("npm"):
        sys.exit("Lighthouse needs Node and its npm on the PATH.")
    worst = 100
    with (
        tempfile.TemporaryDirectory() as scratch,
        ServerProcess(str(Path(scratch, "lighthouse.db"))) as server,
        TableSetup(server) as table_setup,
    ):
        every = pages_to_measure(table_setup)
        if unknown := set(options.page) - set(every):
            sys.exit(f"no such page: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
        for name in options.page or every:
            address, token = every[name]
            reports = [run_lighthouse(address, token) for _ in range(options.runs)]
            best = max(reports, key=lambda report: sum(read_scores(report).values()))
            metrics = [f"{best['audits'][metric]['displayValue']} {metric}" for metric in METRICS]
            print(f"{name}: {read_scores(best)}; {', '.join(metrics)}")
            print(f"  this machine's processor: {best['environment']['benchmarkIndex']:.0f}")
            for line in (*failed_accessibility_audits(best), *describe_time_spent(best)):
                print(f"  {line}", flush=True)
            worst = min(worst, *read_scores(best).values())
    return int(worst < MIN_SCORE)


if __name__ == "__main__":
    sys.exit(main())
