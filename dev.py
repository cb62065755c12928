#!/usr/bin/env python3
"""Sets up, serves, tests, builds and checks GPU Sharing Labs: `python3 dev.py --help`.

It needs nothing but Python, and it parses on Python 3.6 and later, so that an old one is answered with a
sentence and not with a SyntaxError (`tests/setup/test_dev.py` holds it to that). Whatever can go wrong on
somebody else's machine is a `Failure`: one sentence that says what is the matter and what to do.
"""

import argparse
import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import typing
from collections.abc import Iterator, Sequence

OLDEST, NEWEST = (3, 11), (3, 14)


def python_problem(version: "tuple[int, ...]") -> str:
    """What is wrong with running this project on that Python, and what to do; empty where nothing is."""
    if OLDEST <= version <= NEWEST:
        return ""
    names = ["python3.{}".format(minor) for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]  # noqa: UP032
    found = next((name for name in names if shutil.which(name)), "")
    remedy = (
        "run it with the one on this machine: " + found
        if found
        else "install one and run it with that: python3.13"
    )
    return "Python {}.{} to {}.{} is needed and this is {}.{}; {} dev.py setup".format(
        *OLDEST, *NEWEST, *version, remedy
    )


if python_problem(sys.version_info[:2]):
    sys.exit("dev.py: " + python_problem(sys.version_info[:2]))


from labs import site_server  # noqa: E402 (an old Python must get its sentence before this is read)

ROOT = pathlib.Path(__file__).resolve().parent
CACHE = ROOT / ".cache"
SITE = ROOT / "site"
FOLDER_SITE = ROOT / "site-folder"  # the same, for opening from a folder
NODE_MODULES = ROOT / "node_modules"
VENV = ROOT / ".venv"
VENV_BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = VENV_BIN / ("python.exe" if os.name == "nt" else "python")
INSTALL_LOG = CACHE / "install.log"
UNFINISHED = CACHE / "venv.unfinished"  # there while packages are put into .venv/, and after being cut off

REQUIREMENTS = ROOT / "requirements.txt"
REQUIREMENTS_NODE = ROOT / "requirements-node.txt"
PACKAGE_JSON = ROOT / "package.json"
PACKAGE_LOCK = ROOT / "package-lock.json"

# What reads the prose is heavy and has locks of its own, installed when it is first used.
REQUIREMENTS_PROSE = ROOT / "requirements-prose.txt"
PROSE_JSON = ROOT / "checks" / "wording" / "package.json"
PROSE_LOCK = ROOT / "checks" / "wording" / "package-lock.json"
TEXTLINT = CACHE / "textlint"

Command = Sequence[str | pathlib.Path]


class Failure(Exception):
    """What stops a command, as one sentence for whoever called it."""


# --- Running things -------------------------------------------------------------------------------


def say(sentence: str) -> None:
    print(sentence, flush=True)


def child_environment() -> dict[str, str]:
    """The environment of everything that is started: as here, with the project's own programs first."""
    own = {
        "PATH": os.pathsep.join([str(VENV_BIN), os.environ.get("PATH", "")]),
        "VIRTUAL_ENV": str(VENV),
        "PYTHONUTF8": "1",
        "PIP_USER": "0",
        "NO_MKDOCS_2_WARNING": "1",
    }
    return {**os.environ, **own}


def run(command: Command, **extra_environment: str) -> int:
    """Runs a command in the project's root, its output going where ours goes; the answer is its exit code."""
    return subprocess.run(command, cwd=ROOT, env={**child_environment(), **extra_environment}).returncode


def output_of(command: Command) -> str | None:
    """The first line that a program prints; None where it cannot be run or fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=30, env=child_environment()
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return (done.stdout.splitlines() or [""])[0].strip() if done.returncode == 0 else None


REGISTRY_UNREACHABLE = (
    "the package registry cannot be reached: check the network and the proxy, or name your mirror "
    "(PIP_INDEX_URL, UV_DEFAULT_INDEX, NPM_CONFIG_REGISTRY), then run the same command again"
)
# What installers say, and what it means to a person. The first that fits counts: the more exact stand first.
INSTALL_FAILURES = (
    (
        r"CERTIFICATE_VERIFY_FAILED|invalid peer certificate|UnknownIssuer|self.signed certificate"
        r"|UNABLE_TO_(GET|VERIFY)",
        "the registry's certificate is not trusted here: name your authority's file "
        "(PIP_CERT, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS), then run the same command again",
    ),
    (
        r"DO NOT MATCH THE HASHES|[Hh]ash mismatch|EINTEGRITY",
        "a downloaded package is not the one in the lock file: empty the cache of the installer or "
        "have the mirror looked at, then run the same command again",
    ),
    (r"No space left on device|ENOSPC", "the disk is full: make room, then run the same command again"),
    (
        r"from versions: none|NewConnectionError|ConnectTimeoutError|ReadTimeoutError"
        r"|NameResolutionError|ProxyError|[Cc]onnection refused|timed out|dns error|error sending request"
        r"|[Nn]etwork is unreachable|[Nn]ame or service not known|name resolution|Temporary failure"
        r"|Could not connect|Unable to connect|tunnel error"
        r"|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH",
        REGISTRY_UNREACHABLE,
    ),
    (
        r"No matching distribution|no version of|not found in the package registry|ETARGET|E404|404 Not",
        "the registry lacks a version that the lock file names: bring the mirror up to date, "
        "then run the same command again",
    ),
)


def reason_of(output: str) -> str:
    """Why an installer failed, in a sentence, from what it printed."""
    for pattern, sentence in INSTALL_FAILURES:
        if re.search(pattern, output):
            return sentence
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    last = f' (its last words: "{lines[-1]}")' if lines else ""
    return (
        f"the installer failed{last}: read {INSTALL_LOG.relative_to(ROOT)}, then run the same command again"
    )


def install(what: str, command: Command, **extra_environment: str) -> None:
    """Runs an installer with its output in a log, and turns its failure into a sentence."""
    CACHE.mkdir(exist_ok=True)
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**child_environment(), **extra_environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    with INSTALL_LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(map(str, command))}\n{done.stdout}\n")
    if done.returncode != 0:
        raise Failure(f"{what} could not be installed: {reason_of(done.stdout)}.")


@contextlib.contextmanager
def alone(task: str) -> Iterator[None]:
    """Keeps a second dev.py in this folder out of the same task until the first is through with it."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / f"{task}.lock").open("a", encoding="utf-8") as handle:
        if not locked(handle.fileno()):
            say(f"Another dev.py is busy with the same ({task}) in this folder; waiting for it.")
            while not locked(handle.fileno()):
                time.sleep(0.2)
        yield


def locked(descriptor: int) -> bool:
    """Takes the lock on an open file if nobody else has it; it goes with the file's closing, or with us."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks: better to go on than to wait for ever
    return True


def digest(*parts: str | bytes | pathlib.Path) -> str:
    """A hash of texts and of the contents of files, each with its length, so that no two lists look alike."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, pathlib.Path) else part
        data = data.encode() if isinstance(data, str) else data
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


def is_stamped(stamp: pathlib.Path, value: str) -> bool:
    return stamp.is_file() and stamp.read_text("utf-8") == value


# --- Python ---------------------------------------------------------------------------------------


def set_up() -> None:
    """Makes .venv/ and node_modules/ what the lock files say; quick where they already are."""
    with alone("setup"):
        set_up_python()
        set_up_node()


def python_inputs() -> str:
    """What .venv/ depends on: the locks, this Python, this folder, and how the package is declared."""
    import tomllib

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    package = json.dumps([declared["project"], declared["build-system"]], sort_keys=True)
    version = ".".join(map(str, sys.version_info[:2]))
    return digest(REQUIREMENTS, package, version, str(ROOT))


def set_up_python() -> None:
    stamp = VENV / "python.stamp"
    if VENV_PYTHON.is_file() and is_stamped(stamp, python_inputs()):
        return
    say("Setting up Python in .venv/ (once, and again when a lock file changes).")
    stamp.unlink(missing_ok=True)
    remove_unusable_venv()
    UNFINISHED.touch()
    try:
        install_packages()
    except Failure:
        UNFINISHED.unlink()
        raise
    stamp.write_text(python_inputs(), encoding="utf-8")
    UNFINISHED.unlink()


def install_packages() -> None:
    """Installs with uv; where there is none, or it fails (it may not know the mirror), with pip."""
    uv = shutil.which("uv")
    if uv is not None:
        try:
            install_locked(uv_install(uv))
            return
        except Failure as failure:
            if not can_make_venv():
                raise
            say(f"uv did not do it, so pip will try: {failure}")
    install_locked(pip_install())


def install_locked(installer: Command) -> None:
    install("The Python packages", [*installer, "--require-hashes", "-r", REQUIREMENTS])
    install("gpulab", [*installer, "--no-deps", "--no-build-isolation", "-e", ROOT])


def remove_unusable_venv() -> None:
    """Clears a .venv/ of another Python, without one that runs, or in which installing was cut off."""
    wanted = ".".join(map(str, sys.version_info[:2]))
    query = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
    cut_off = UNFINISHED.exists()
    if not VENV.exists() or (not cut_off and output_of([VENV_PYTHON, "-c", query]) == wanted):
        return
    try:
        shutil.rmtree(VENV)
    except OSError as error:
        raise Failure(
            f"The old .venv/ cannot be removed ({error.strerror}: {error.filename}): close what uses it and "
            "delete the folder, then run the same command again."
        ) from error


def base_python() -> str:
    """The interpreter that a virtual environment is made from, also where dev.py runs inside one."""
    return getattr(sys, "_base_executable", "") or sys.executable


def can_make_venv() -> bool:
    return all(importlib.util.find_spec(module) for module in ("venv", "ensurepip"))


def uv_install(uv: str) -> Command:
    """How uv installs into .venv/, which it makes first if there is none."""
    if not VENV_PYTHON.is_file():
        install("A virtual environment", [uv, "venv", "--no-project", "--python", base_python(), VENV])
    return [uv, "pip", "install", "--python", VENV_PYTHON]


def pip_install() -> Command:
    """How pip installs into .venv/, which is made first, or gets a pip, if there is none."""
    pip: Command = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check"]
    if output_of([*pip, "--version"]) is None:
        if not can_make_venv():
            debian = f"apt-get install python3.{sys.version_info[1]}-venv"
            raise Failure(
                f"{base_python()} cannot make a virtual environment, as it has no venv or no ensurepip: "
                f"install them (Debian, Ubuntu: {debian}) or install uv, then run the same command again."
            )
        install("A virtual environment", [base_python(), "-m", "venv", VENV])
    return [*pip, "install"]


def any_installer() -> Command:
    """How more is put into a .venv/ that is set up: with uv where it is on PATH, else with pip."""
    uv = shutil.which("uv")
    return uv_install(uv) if uv else pip_install()


# --- Node -----------------------------------------------------------------------------------------


class Node(typing.NamedTuple):
    """A Node.js and its npm, by path."""

    node: str
    npm: str


def oldest_node() -> int:
    """The first major version of Node.js that will do, as package.json says under `engines`."""
    engines = json.loads(PACKAGE_JSON.read_text("utf-8"))["engines"]
    return int(engines["node"].removeprefix(">=").split(".")[0])


def node_in(path: str) -> Node | None:
    """The Node.js and npm of a search path, if both are there and new enough."""
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node is None or npm is None:
        return None
    version = re.match(r"v(\d+)\.", output_of([node, "--version"]) or "")
    return Node(node, npm) if version and int(version[1]) >= oldest_node() else None


@functools.cache
def find_node() -> Node:
    """Node.js from PATH; else from the locked Python package that brings it, put into .venv/."""
    found = node_in(os.environ.get("PATH", ""))
    if found is not None:
        return found
    stamp = VENV / "node.stamp"
    if not is_stamped(stamp, digest(REQUIREMENTS_NODE)):
        say(f"There is no Node.js {oldest_node()} or later with npm on PATH: getting one into .venv/.")
        install("Node.js", [*any_installer(), "--require-hashes", "-r", REQUIREMENTS_NODE])
        stamp.write_text(digest(REQUIREMENTS_NODE), encoding="utf-8")
    found = node_in(str(VENV_BIN))
    if found is None:
        raise Failure(
            f"Node.js does not run here: install Node.js {oldest_node()} or later with npm, "
            "then run the same command again."
        )
    return found


def set_up_node() -> None:
    stamp = NODE_MODULES / ".stamp"
    inputs = digest(PACKAGE_JSON, PACKAGE_LOCK)
    if is_stamped(stamp, inputs):
        return
    npm = find_node().npm
    say("Setting up the browser's packages in node_modules/ (once, and again when a lock file changes).")
    install("The browser's packages", [npm, "ci"])
    stamp.write_text(inputs, encoding="utf-8")


def set_up_prose() -> None:
    """Gets what reads the Japanese and Korean prose: a third of a gigabyte that nothing else needs."""
    with alone("prose"):
        stamp = VENV / "prose.stamp"
        if not is_stamped(stamp, digest(REQUIREMENTS_PROSE)):
            say("Getting what reads the Korean prose (once, and again when its lock file changes).")
            reader = [*any_installer(), "--require-hashes", "-r", REQUIREMENTS_PROSE]
            install("What reads the Korean prose", reader)
            stamp.write_text(digest(REQUIREMENTS_PROSE), encoding="utf-8")
        stamp = TEXTLINT / ".stamp"
        inputs = digest(PROSE_JSON, PROSE_LOCK)
        if not is_stamped(stamp, inputs):
            say("Getting what reads the Japanese prose (once, and again when its lock file changes).")
            TEXTLINT.mkdir(exist_ok=True)
            for source in (PROSE_JSON, PROSE_LOCK, ROOT / ".npmrc"):
                shutil.copy(source, TEXTLINT)
            install("What reads the Japanese prose", [find_node().npm, "--prefix", TEXTLINT, "ci"])
            stamp.write_text(inputs, encoding="utf-8")


# --- Chromium -------------------------------------------------------------------------------------

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_PLACES = {
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "win32": (
        r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
        r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
        r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
        r"%LocalAppData%\Chromium\Application\chrome.exe",
    ),
}
PLAYWRIGHT_QUERY = (
    "from playwright.sync_api import sync_playwright as p\nwith p() as x: print(x.chromium.executable_path)"
)


def find_chromium() -> str | None:
    """A Chromium or Chrome that starts: $GPULAB_CHROMIUM, an installed one, else the one of Playwright."""
    chosen = os.environ.get("GPULAB_CHROMIUM")
    if chosen:
        if not starts(chosen):
            raise Failure(
                f'GPULAB_CHROMIUM is "{chosen}", which does not start: set it to a Chromium or unset it.'
            )
        return chosen
    installed = [found for found in map(shutil.which, CHROMIUM_NAMES) if found]
    usual = [os.path.expanduser(os.path.expandvars(place)) for place in CHROMIUM_PLACES.get(sys.platform, ())]
    found = next(filter(starts, installed + usual), None)
    if found is None and VENV_PYTHON.is_file():
        found = next(filter(starts, filter(None, [output_of([VENV_PYTHON, "-c", PLAYWRIGHT_QUERY])])), None)
    return found


def starts(program: str) -> bool:
    """Whether a browser is there and runs; on Windows, where asking opens a window, whether it is there."""
    if not os.path.isfile(program):
        return False
    return os.name == "nt" or output_of([program, "--version"]) is not None


def ensure_chromium() -> str:
    """The path of a Chromium, installed first where there is none."""
    with alone("chromium"):
        found = find_chromium()
        if found is not None:
            return found
        if is_debian() and os.geteuid() == 0:
            say("Installing Debian's Chromium for the browser tests.")
            install("Debian's package list", ["apt-get", "update", "-q"])
            apt = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-noto-cjk"]
            install("Chromium", apt, DEBIAN_FRONTEND="noninteractive")
        else:
            say("Installing Playwright's Chromium for the browser tests.")
            install("Chromium", [VENV_PYTHON, "-m", "playwright", "install", "chromium"])
        found = find_chromium()
        if found is None:
            raise Failure(
                "The Chromium that was installed does not start: install Chromium or Chrome with the "
                "system's own packages, or set GPULAB_CHROMIUM to one, then run the same command again."
            )
        return found


def is_debian() -> bool:
    """Whether this is Debian itself: Ubuntu's package of the same name only points to a snap."""
    release = pathlib.Path("/etc/os-release")
    return release.is_file() and "ID=debian" in release.read_text("utf-8").splitlines()


# --- The site -------------------------------------------------------------------------------------

SITE_OPTIONS = ("SITE_URL", "SITE_POLICY")  # docs/*/hosting/ tells what they are for

# Folders of the root whose files do not show in the site.
NOT_INPUTS = {
    ".git",
    ".venv",
    ".cache",
    "node_modules",
    "site",
    "site-folder",
    "tests",
    "checks",
    "benchmarks",
    "__pycache__",
}


def site_inputs() -> list[pathlib.Path]:
    """Every file that the site may be made from, in a fixed order."""
    files = []
    for folder, folders, names in os.walk(ROOT):
        left_out = NOT_INPUTS if pathlib.Path(folder) == ROOT else {"__pycache__"}
        folders[:] = sorted(
            name for name in folders if name not in left_out and not name.endswith(("_cache", ".egg-info"))
        )
        files += [pathlib.Path(folder, name) for name in sorted(names)]
    return files


def site_digest() -> str:
    """A hash of what the site is made from: the files, and what mkdocs.yml takes from the environment."""
    files = [part for path in site_inputs() for part in (path.relative_to(ROOT).as_posix(), path)]
    return digest(*(os.environ.get(name, "") for name in SITE_OPTIONS), *files)


def build(for_folder: bool = False) -> None:
    """Builds a site into its folder, which changes all at once and only when the build succeeds."""
    site = FOLDER_SITE if for_folder else SITE
    with alone("build"):
        inputs = site_digest()
        pack = ROOT / "labs" / "web" / "pack.mjs"
        if run([find_node().node, pack, "--out", CACHE / "runtime", "--python", VENV_PYTHON]) != 0:
            raise Failure(
                "The browser's runtime was not packed, for the reason above: mend it and build again."
            )
        editor = ROOT / "labs" / "web" / "pack-editor.mjs"
        if run([find_node().node, editor, "--out", CACHE / "editor"]) != 0:
            raise Failure("The editor was not packed, for the reason above: mend it and build again.")
        fresh = CACHE / site.name
        mkdocs: list[str | pathlib.Path] = [VENV_PYTHON, "-m", "mkdocs", "build", "--strict", "--site-dir"]
        mkdocs.append(fresh)
        if for_folder:
            mkdocs.append("--no-directory-urls")  # by which hooks/browser.py knows
        if run(mkdocs) != 0:
            raise Failure("The site was not built, for the reason above: mend it and build again.")
        last = CACHE / f"{site.name}.last"
        shutil.rmtree(last, ignore_errors=True)
        if site.exists():
            site.rename(last)
        fresh.rename(site)
        shutil.rmtree(last, ignore_errors=True)
        (CACHE / f"{site.name}.stamp").write_text(inputs, encoding="utf-8")


def ensure_site(for_folder: bool = False) -> pathlib.Path:
    """The folder of a built site, built anew only where a file that it is made from has changed."""
    site = FOLDER_SITE if for_folder else SITE
    if not (site.is_dir() and is_stamped(CACHE / f"{site.name}.stamp", site_digest())):
        build(for_folder)
    return site


def serve_on_free_port(first: int) -> site_server.SiteServer:
    """A server on the first free port from that one on; says so where it is another."""
    try:
        server = site_server.on_free_port(SITE, first)
    except site_server.NoFreePortError as error:
        raise Failure(
            f"No port from {error.first} to {error.last} is free: give another with --port."
        ) from None
    if server.server_port != first:
        say(f"Port {first} is taken, so the site is on the next free one, {server.server_port}.")
    return server


def serve(first_port: int) -> None:
    """Serves the site and builds it again whenever a file that it is made from changes; ends with Ctrl-C."""
    ensure_site()
    server = serve_on_free_port(first_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say(f"The site is at http://127.0.0.1:{server.server_port}/ and follows your changes; Ctrl-C ends it.")
    seen = modification_times()
    while True:
        time.sleep(1)
        now = modification_times()
        if now == seen:
            continue
        seen = now
        try:
            build()
            say("Built again: reload the page.")
        except Failure as failure:
            say(f"dev.py: {failure} The last good site stays.")


def modification_times() -> dict[pathlib.Path, int]:
    times = {}
    for path in site_inputs():
        with contextlib.suppress(FileNotFoundError):
            times[path] = path.stat().st_mtime_ns
    return times


# --- Tests and checks -----------------------------------------------------------------------------


def test(arguments: Command) -> int:
    """Runs pytest over the built site and the package; its exit code and its last lines are the answer.

    Without arguments two runs share the work, for the tests in the browser wait much: one has three in four of their files,
    the other has all other tests and then the rest of them; what that prints follows.
    """
    chromium = ensure_chromium()
    ensure_site()
    pytest: Command = [VENV_PYTHON, "-m", "pytest"]
    if arguments:
        return run([*pytest, *arguments], GPULAB_CHROMIUM=chromium)
    in_browser = sorted((ROOT / "tests" / "browser").glob("test_*.py"))
    beside = in_browser[2::4]
    elsewhere = sorted(
        path for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "browser"
    )
    with tempfile.TemporaryFile() as told:
        others = subprocess.Popen(
            [*pytest, *elsewhere, *beside],
            cwd=ROOT,
            env={**child_environment(), "GPULAB_CHROMIUM": chromium},
            stdout=told,
            stderr=subprocess.STDOUT,
        )
        try:
            first = [path for path in in_browser if path not in beside]
            code = run([*pytest, *first], GPULAB_CHROMIUM=chromium)
            code = others.wait() or code
        finally:
            if others.poll() is None:
                others.terminate()
                others.wait()
        told.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(told, sys.stdout.buffer)
        sys.stdout.flush()
    return code


def bench(arguments: Command) -> int:
    """Measures the site, the build and the simulator; what is measured is said by `benchmarks`."""
    chromium = ensure_chromium()
    ensure_site()
    return run([VENV_PYTHON, "-m", "benchmarks", *arguments], GPULAB_CHROMIUM=chromium)


class Check(typing.NamedTuple):
    """One thing that `check` looks at: its commands, all of which must succeed, and what mends a failure."""

    name: str
    commands: Sequence[Command]
    remedy: str


def checks() -> list[Check]:
    python: Command = [VENV_PYTHON, "-m"]
    scripts = sorted(path for end in ("*.js", "*.mjs") for path in (ROOT / "labs" / "web").rglob(end))
    return [
        Check(
            "format", [[*python, "ruff", "format", "--check", "--quiet", "."]], "python3 dev.py check --fix"
        ),
        Check(
            "lint",
            [[*python, "ruff", "check", "--quiet", "."]],
            "python3 dev.py check --fix, the rest by hand",
        ),
        Check("types", [[*python, "mypy", "--no-error-summary"]], "mend the places named above"),
        Check(
            "scripts",
            [[find_node().node, "--check", path] for path in scripts],
            "mend the places named above",
        ),
        Check("content", [[*python, "checks"]], "as each line above says"),
        Check("prose of changed pages", [[*python, "checks.wording"]], "as each line above says"),
    ]


def check(fix: bool) -> int:
    """Formatter, linter, types, locks and languages: all of them, even where one fails."""
    if fix:
        run([VENV_PYTHON, "-m", "ruff", "check", "--fix", "--quiet", "."])
        run([VENV_PYTHON, "-m", "ruff", "format", "--quiet", "."])
    failed = [(problem, "python3 dev.py lock") for problem in lock_problems()]
    for name, commands, remedy in checks():
        say(f"{name} ...")
        if any([run(command) != 0 for command in commands]):  # noqa: C419  all of them, not up to the first
            failed.append((f"{name} failed", remedy))
    for problem, remedy in failed:
        say(f"dev.py: {problem}: {remedy}")
    if not failed:
        say("All checks passed.")
    return 1 if failed else 0


# --- Lock files -----------------------------------------------------------------------------------

# Each lock of packages with the file or files that it is made from.
PYTHON_LOCKS = {
    REQUIREMENTS: (ROOT / "pyproject.toml", ROOT / "requirements.in"),
    REQUIREMENTS_NODE: (ROOT / "requirements-node.in",),
    REQUIREMENTS_PROSE: (ROOT / "requirements-prose.in",),
}
NODE_LOCKS = {PACKAGE_LOCK: PACKAGE_JSON, PROSE_LOCK: PROSE_JSON}


def lock_mark(sources: Sequence[pathlib.Path]) -> str:
    """The first line of a lock: a hash of what its sources ask for."""
    import tomllib

    asked = [
        json.dumps(tomllib.loads(path.read_text("utf-8"))["project"]["dependencies"])
        if path.suffix == ".toml"
        else path.read_text("utf-8")
        for path in sources
    ]
    return f"# python3 dev.py lock; sha256 of what was asked for: {digest(*asked)}"


def lock_problems() -> list[str]:
    """Locks that are older than what they are made from, or that name an address."""
    problems = []
    for lock, sources in PYTHON_LOCKS.items():
        if lock.read_text("utf-8").partition("\n")[0] != lock_mark(sources):
            problems.append(f"{lock.name} is older than {' or '.join(path.name for path in sources)}")
    for lock, source in NODE_LOCKS.items():
        asked = json.loads(source.read_text("utf-8"))
        locked = json.loads(lock.read_text("utf-8"))["packages"][""]
        if any(asked.get(key) != locked.get(key) for key in ("dependencies", "devDependencies", "engines")):
            problems.append(f"{from_root(lock)} is older than {from_root(source)}")
    locks = [lock for lock in (*PYTHON_LOCKS, *NODE_LOCKS) if "://" in lock.read_text("utf-8")]
    return problems + [f"{from_root(lock)} names an address" for lock in locks]


def from_root(path: pathlib.Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lock(upgrade: bool) -> None:
    """Writes the lock files anew, keeping the versions that still fit, or with the newest ones."""
    uv = shutil.which("uv", path=child_environment()["PATH"])
    if uv is None:
        raise Failure(
            "Lock files are made with uv, which is not on PATH: install uv, then run the same command again."
        )
    for target, sources in PYTHON_LOCKS.items():
        compile_ = [uv, "pip", "compile", "--universal", "--python-version", ".".join(map(str, OLDEST))]
        compile_ += ["--generate-hashes", "--no-emit-index-url", "--no-header", "--quiet"]
        compile_ += ["--upgrade"] if upgrade else []
        install(target.name, [*compile_, "--output-file", target.name, *(path.name for path in sources)])
        target.write_text(
            f"{lock_mark(sources)}\n{target.read_text(encoding='utf-8')}", encoding="utf-8", newline="\n"
        )
    for target in NODE_LOCKS:
        npm: Command = [find_node().npm, "--prefix", target.parent]
        install(from_root(target), [*npm, "update" if upgrade else "install", "--package-lock-only"])
        locked_packages = json.loads(target.read_text("utf-8"))
        for package in locked_packages["packages"].values():
            package.pop("funding", None)
            package.pop("resolved", None)
        target.write_text(json.dumps(locked_packages, indent=2) + "\n", encoding="utf-8", newline="\n")


# --- The command line -----------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="dev.py",
        description="All that is done with GPU Sharing Labs. Each command first sets up what it needs.",
        epilog="Set-up uses uv if it is on PATH, else venv and pip, with their own settings for mirrors.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands.add_parser(
        "setup", help="make .venv/ with gpulab in it, and node_modules/; quick when nothing changed"
    )
    serving = commands.add_parser("serve", help="build the site, serve it on 127.0.0.1, rebuild it on change")
    serving.add_argument(
        "--port", type=int, default=8000, help="first port to try, then the next free one (8000)"
    )
    testing = commands.add_parser(
        "test", help="build the site and run all tests; what follows goes to pytest"
    )
    testing.add_argument(
        "arguments", nargs="*", metavar="PYTEST_ARGUMENT", help="for example: tests/cluster -k slots"
    )
    building = commands.add_parser("build", help="build the site into site/")
    building.add_argument(
        "--file", action="store_true", help="for opening by double click, without a server: into site-folder/"
    )
    checking = commands.add_parser(
        "check", help="formatter, linter, types, locks, languages, changed prose: seconds"
    )
    checking.add_argument(
        "--fix", action="store_true", help="first mend what the formatter and the linter can"
    )
    reading = commands.add_parser("prose", help="read the Japanese and Korean prose that was changed")
    reading.add_argument("--all", action="store_true", help="all pages and all sentences of the program")
    benching = commands.add_parser("bench", help="measure pages, labs, build and simulator, as a table")
    benching.add_argument(
        "arguments", nargs="*", metavar="ARGUMENT", help="goes to python -m benchmarks; --help lists them"
    )
    locking = commands.add_parser(
        "lock", help="write the lock files anew, after a change of what they are made from"
    )
    locking.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    return top


def perform(arguments: argparse.Namespace) -> int:
    if arguments.command == "lock":
        lock(arguments.upgrade)  # before set-up, which refuses locks that are older than their sources
        return 0
    set_up()
    if arguments.command == "serve":
        serve(arguments.port)
    elif arguments.command == "build":
        build(for_folder=arguments.file)
        say("Open site-folder/index.html." if arguments.file else "The site is in site/.")
    elif arguments.command == "test":
        return test(arguments.arguments)
    elif arguments.command == "check":
        return check(arguments.fix)
    elif arguments.command == "prose":
        return run([VENV_PYTHON, "-m", "checks.wording", *(["--all"] if arguments.all else [])])
    elif arguments.command == "bench":
        return bench(arguments.arguments)
    else:
        say(f"Set up: {VENV_BIN.relative_to(ROOT).as_posix()}/gpulab is ready.")
    return 0


def main(argv: list[str]) -> int:
    passes_on = argv[:1] in (["test"], ["bench"]) and argv[1:2] not in (["-h"], ["--help"])
    arguments = parser().parse_args(argv[:1] if passes_on else argv)
    if passes_on:
        arguments.arguments = argv[1:]
    try:
        return perform(arguments)
    except Failure as failure:
        print(f"dev.py: {failure}", file=sys.stderr)
        return 1
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        print(
            f"dev.py: {error.strerror}{place}: mend that, then run the same command again.", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        return 0 if arguments.command == "serve" else 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
