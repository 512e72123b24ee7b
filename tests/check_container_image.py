"""Build the image, and play in it: a trial of the Dockerfile without a Docker engine.

    python tests/check_container_image.py                            # on a stand-in for the base
    python tests/check_container_image.py --base python:3.13-slim    # if images can be pulled

Needs root, and Debian's packages buildah and debootstrap. The stand-in is a Debian with its own
Python. A match is played with the image's own command and settings. Then two workers on PostgreSQL
and Redis, which run outside, are killed again and again under load, and everything they
acknowledged is compared with what is left.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.database_servers import Postgres, redis_program, run_in_thread
from tests.kill_server import TIMEOUT_SECONDS
from tests.server.client import Client, play_against_bot
from tests.server.server_load import ServerLoad
from tests.server.server_process import ServerProcess

ROOT = Path(__file__).parent.parent
STAND_IN_IMAGE = "localhost/pytlik-python"
IMAGE = "localhost/pytlik"
CONTAINER_NAME = "pytlik-trial"
DEBIAN_RELEASE = "trixie"

# The build may use this machine's settings for reaching its package registries.
MOUNTED_PATHS = ("/etc/pip.conf", "/etc/ssl/certs", "/usr/local/share/ca-certificates")

CHECK_IMAGE_PROGRAM = """
import os, shutil, pytlik.server
import pytlik.unikat.engine.kernel as unikat, pytlik.ubongo.kernel as ubongo
from pathlib import Path
assert os.getuid() != 0, "it runs as root"
assert unikat.COMPILED and ubongo.COMPILED, "the kernels are not compiled"
assert (Path(pytlik.server.__file__).parent / "static" / "index.html").exists(), "there is no page"
for program in ("gcc", "cc", "node", "npm", "pip"):
    assert not shutil.which(program), f"{program} is in the image"
print("not root, kernels compiled, page there, no compiler, no Node")
"""


def buildah(*words: str, capture: bool = False) -> str:
    command = ["buildah", *words]
    stdout = subprocess.PIPE if capture else None
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=stdout).stdout or ""


def build_stand_in_image() -> None:
    """Build a base image, with a name that nobody can mistake for an official one."""
    with tempfile.TemporaryDirectory(prefix="pytlik-base-") as folder:
        packages = "--include=ca-certificates,python3,python3-venv,python3-dev"
        words = ["debootstrap", "--variant=minbase", packages, DEBIAN_RELEASE, folder]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        container = buildah("from", "scratch", capture=True).strip()
        buildah("add", "--quiet", container, folder, "/")
        buildah("config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", container)
        buildah("commit", "--quiet", "--rm", container, STAND_IN_IMAGE)


def build_image(base: str) -> None:
    volumes = [f"--volume={path}:{path}:ro" for path in MOUNTED_PATHS if Path(path).exists()]
    words = [
        "--isolation",
        "chroot",
        "--layers",
        "--format",
        "docker",
        "--build-arg",
        f"PYTHON={base}",
    ]
    buildah("build", *words, *volumes, "--tag", IMAGE, ".")


# ------------------------------------------------------------------------------------------ running


def stop_first_process(buildah_pid: int) -> None:
    """Send SIGTERM only to the first process inside, as `docker stop` does. buildah itself would
    turn it into SIGKILL."""
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            parents[int(process.name)] = parent, words[0].startswith(b"/opt/pytlik/bin/")
    for number, (parent, ours) in sorted(parents.items()):
        above = parent
        while above in parents and above != buildah_pid:
            above = parents[above][0]
        if ours and above == buildah_pid and not parents[parent][1]:
            os.kill(number, signal.SIGTERM)
            return
    raise ProcessLookupError("nothing of ours runs in the container")


class ServerInContainer(ServerProcess):
    """`pytlik` inside the container, reached over loopback."""

    program = (
        *("buildah", "run", "--isolation", "chroot", "--env", "PYTLIK_LIMIT_SCALE=100000"),
        *("--env", "PYTLIK_HOST=127.0.0.1", "--env", "PYTLIK_BOT_PAUSE=0"),
        *(CONTAINER_NAME, "--", "pytlik"),
    )

    def stop(self) -> None:
        assert self._process
        stop_first_process(self.pid)
        assert self._process.wait(TIMEOUT_SECONDS) == 0, "it didn't exit cleanly"


def read_image_config() -> Any:
    """Return the configuration in the image."""
    return json.loads(buildah("inspect", "--type", "image", IMAGE, capture=True))["Docker"][
        "config"
    ]


def container_command(*words: str, **environment: str) -> Sequence[str]:
    variables = [f"--env={name}={value}" for name, value in environment.items()]
    return ("buildah", "run", "--isolation", "chroot", *variables, CONTAINER_NAME, "--", *words)


async def play_a_match(address: str) -> None:
    client = Client(address)
    try:
        assert "<html" in (await client.http.get("/")).text
        await play_against_bot(client, "easy", TIMEOUT_SECONDS)
        print(f"a match against a bot: {client.seq} events, {client.view['outcome']}")
    finally:
        await client.close()


def check_default_command(port: int) -> None:
    """With the image's own command, user and database; the port is one on the machine's network."""
    config = read_image_config()
    ours = {"PYTLIK_PORT": str(port), "PYTLIK_HOST": "127.0.0.1", "PYTLIK_BOT_PAUSE": "0"}
    address = f"http://127.0.0.1:{port}"
    command = container_command(*config["Cmd"], **ours)
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as server:
        try:
            wait_until_ready(address)
            health = config["Healthcheck"]["Test"]
            subprocess.run(container_command(*health[1:], **ours), check=True)
            asyncio.run(play_a_match(address))
            stop_first_process(server.pid)
            assert server.wait(TIMEOUT_SECONDS) == 0, "it didn't exit cleanly"
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
    print(f"{' '.join(config['Cmd'])} as {config['User']}: healthy, and stopped in good order")


def wait_until_ready(address: str) -> None:
    give_up = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < give_up:
        try:
            if httpx.get(f"{address}/readyz", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)  # another process: there is nothing to wait on but its port
    raise TimeoutError("the server in the container did not start")


# ----------------------------------------------------------------------------------------- services


@contextmanager
def postgres_on_loopback(folder: Path, port: int) -> Iterator[str]:
    server = Postgres(folder / "postgres")
    server.create()
    server.stop()
    with (server.data / "postgresql.conf").open("a") as file:
        file.write(f"listen_addresses = '127.0.0.1'\nport = {port}\n")
    server.start()
    address = f"postgresql://postgres:@127.0.0.1:{port}/"
    try:
        run_in_thread(execute(f"{address}postgres", "CREATE DATABASE pytlik"))
        yield f"{address}pytlik"
    finally:
        server.stop()


async def execute(address: str, sql: str) -> None:
    import asyncpg  # noqa: PLC0415

    connection = await asyncpg.connect(address)
    await connection.execute(sql)
    await connection.close()


@contextmanager
def redis_on_loopback(folder: Path, port: int) -> Iterator[str]:
    words = [
        *("--port", str(port)),
        *("--bind", "127.0.0.1"),
        *("--save", ""),
        *("--dir", str(folder)),
    ]
    with subprocess.Popen([redis_program(), *words], stdout=subprocess.DEVNULL) as server:
        try:
            yield f"redis://127.0.0.1:{port}"
        finally:
            server.terminate()


async def kill_under_load(server: ServerProcess, cycles: int) -> ServerLoad:
    random = Random("container")
    async with ServerLoad(server.address, "container", copies=2) as load:
        await load.sit_down(unikat=4, ubongo=2)
        for _ in range(cycles):
            await load.play_and_kill_server(server, random.randrange(20, 120), TIMEOUT_SECONDS)
        async with load.let_everyone_play(TIMEOUT_SECONDS):
            await load.play_until_acknowledged(50)
        await load.check(server.database, everything=True)
        return load


def check_workers_under_load(port: int, cycles: int) -> None:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pytlik-trial-")))
        folder.chmod(0o755)  # PostgreSQL runs as another user, if we are root
        database = stack.enter_context(postgres_on_loopback(folder, port))
        redis = stack.enter_context(redis_on_loopback(folder, port + 1))
        words = ("--workers", "2", "--redis", redis)
        server = stack.enter_context(ServerInContainer(database, *words, log=folder / "log"))
        asyncio.run(play_a_match(server.address))
        claims = asyncio.run(kill_under_load(server, cycles)).claims
        print(
            f"two workers on PostgreSQL and Redis, killed {cycles} times: {len(claims.done)}"
            f" actions acknowledged, {len(claims.shown)} views, {len(claims.games)} matches,"
            " nothing lost"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", help="the image to build on; without it, a stand-in is made")
    parser.add_argument("--cycles", type=int, default=10, help="how often the server is killed")
    parser.add_argument(
        "--port", type=int, default=15_432, help="for PostgreSQL; the next two are taken, too"
    )
    args = parser.parse_args()
    if os.geteuid() or not (shutil.which("buildah") and (args.base or shutil.which("debootstrap"))):
        print(
            "This takes root, buildah and debootstrap: apt install buildah debootstrap", flush=True
        )
        return 1
    if not args.base and not buildah(
        "images", "--quiet", "--filter", f"reference={STAND_IN_IMAGE}", capture=True
    ):
        build_stand_in_image()
    build_image(args.base or STAND_IN_IMAGE)
    buildah("from", "--name", CONTAINER_NAME, IMAGE)
    try:
        subprocess.run(container_command("python", "-c", CHECK_IMAGE_PROGRAM), check=True)
        check_default_command(args.port + 2)
        check_workers_under_load(args.port, args.cycles)
    finally:
        buildah("rm", CONTAINER_NAME)
    return 0


if __name__ == "__main__":
    sys.exit(main())
