"""Lighthouse on its mobile profile: the first page, and a table of each game.

    python benchmarks/lighthouse.py [--runs N]

Lighthouse (installed from npm into build/lighthouse) slows down network and processor as on a cheap
phone. Anything else that the machine does makes its numbers worse, so the best run of each page
counts. Fails if a score is below 95.
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

from pytlik.ubongo.model import Phase
from tests.page.asking import my_turn, ubongo_until
from tests.page.browser import chromium_path
from tests.page.stage import Seated, Stage
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parent.parent
PACKAGE = "lighthouse@13"
FOLDER = ROOT / "build" / "lighthouse"

SCORES = ("performance", "accessibility")
MIN_SCORE = 95

METRICS = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
)
DETAILS = ("long-tasks", "bootup-time", "mainthread-work-breakdown")
"""Audits that say where the main thread's time goes."""
ROWS_SHOWN = 4


def lighthouse_program() -> str:
    program = FOLDER / "node_modules" / ".bin" / "lighthouse"
    if not program.exists():
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(FOLDER)]
        subprocess.run([*words, PACKAGE], check=True)
    return str(program)


def run_lighthouse(address: str, token: str | None) -> Any:
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch, "report.json")
        words = [
            lighthouse_program(),
            address,
            "--quiet",
            f"--only-categories={','.join(SCORES)}",
            "--output=json",
            f"--output-path={report}",
            "--chrome-flags=--headless=new --no-sandbox",
        ]
        if token:
            words.append(f"--extra-headers={json.dumps({'Cookie': f'pytlik={token}'})}")
        environment = os.environ | {"CHROME_PATH": chromium_path()}
        subprocess.run(words, env=environment, check=True)
        return json.loads(report.read_text(encoding="utf-8"))


def scores(report: Any) -> dict[str, int]:
    return {name: round(100 * report["categories"][name]["score"]) for name in SCORES}


def failures(report: Any) -> list[str]:
    """The titles of failed accessibility audits."""
    refs = report["categories"]["accessibility"]["auditRefs"]
    audits = (report["audits"][ref["id"]] for ref in refs)
    return [audit["title"] for audit in audits if audit["score"] == 0]


def details(report: Any) -> Iterator[str]:
    """Where the time went: the longest tasks, scripts and kinds of work, in milliseconds."""
    for name in DETAILS:
        rows = report["audits"][name].get("details", {}).get("items", [])
        for row in rows[:ROWS_SHOWN]:
            what = row.get("url") or row.get("groupLabel", "")
            spent = row.get("duration", row.get("total", 0))
            yield f"{name}: {spent:.0f} ms {what.rpartition('/')[2]}"


def pages(stage: Stage) -> dict[str, tuple[str, str | None]]:
    def table(seated: Seated) -> tuple[str, str]:
        return f"{stage.address}/t/{seated.table}", seated.token

    solving = ubongo_until(lambda state: state.phase is Phase.SOLVING)
    return {
        "first page": (f"{stage.address}/", None),
        "Unikat": table(stage.match("unikat", 4, my_turn(1))),
        "Ubongo": table(stage.match("ubongo", 4, solving, seconds=600)),
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    if not shutil.which("npm"):
        sys.exit("Lighthouse needs Node and its npm on the PATH.")
    worst = 100
    with (
        tempfile.TemporaryDirectory() as scratch,
        ServerProcess(str(Path(scratch, "lighthouse.db"))) as server,
        Stage(server) as stage,
    ):
        for name, (address, token) in pages(stage).items():
            reports = [run_lighthouse(address, token) for _ in range(runs)]
            best = max(reports, key=lambda report: sum(scores(report).values()))
            metrics = [f"{best['audits'][metric]['displayValue']} {metric}" for metric in METRICS]
            print(f"{name}: {scores(best)}; {', '.join(metrics)}")
            for line in (*failures(best), *details(best)):
                print(f"  {line}")
            worst = min(worst, *scores(best).values())
    return int(worst < MIN_SCORE)


if __name__ == "__main__":
    sys.exit(main())
