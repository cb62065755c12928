"""What is handed out: a changelog that fits the version, and a package that works where it is installed."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from labs import __version__
from labs.library import builtin_library
from labs.simulation.outcome import evaluate
from tests.unit.scenarios import STORY
from tools import release
from tools.paths import ROOT
from tools.process import CommandLine, Failure

Run = Callable[..., subprocess.CompletedProcess[str]]
CONFIG = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist, and the wheel made from it."""
    return release.build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment into which pip put the wheel, with nothing at hand but what the wheel declares."""
    folder = tmp_path_factory.mktemp("clean")
    wheels = folder / "wheels"
    wheels.mkdir()
    shutil.copy(built[1], wheels)
    for name in declared(built[1]):
        wheel_of(name, wheels)
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip: CommandLine = [
        programs / "python",
        "-I",
        "-m",
        "pip",
        "--isolated",
        "--disable-pip-version-check",
        "install",
    ]
    offline: CommandLine = [
        "--no-index",
        "--find-links",
        wheels,
        "--no-cache-dir",
        "--quiet",
        "gpu-sharing-labs",
    ]
    done = subprocess.run(
        [*pip, *offline], cwd=folder, env=bare_environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return programs


@pytest.fixture
def run_installed(installed: Path, tmp_path: Path) -> Run:
    """Runs an installed program in a folder that has nothing to do with this repository."""

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command: CommandLine = [installed / program, *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=bare_environment(), capture_output=True, text=True, encoding="utf-8"
        )

    return run


def bare_environment() -> dict[str, str]:
    """The environment without what leads Python or pip to other packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))}
    return kept | {"PYTHONUTF8": "1", "PYTHONNOUSERSITE": "1", "PIP_CONFIG_FILE": os.devnull}


def declared(wheel: Path) -> list[str]:
    """The packages that a wheel needs without an extra, by its own metadata."""
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        lines = archive.read(metadata).decode().splitlines()
    needed = [Requirement(line.partition(": ")[2]) for line in lines if line.startswith("Requires-Dist: ")]
    return [need.name for need in needed if need.marker is None or need.marker.evaluate({"extra": ""})]


def wheel_of(name: str, folder: Path) -> None:
    """A package that is installed here as a wheel again, for pip to find where there is no registry."""
    package = importlib.metadata.distribution(name)
    files = [
        path
        for path in package.files or []
        if ".." not in path.parts and path.suffix != ".pyc" and path.name not in {"INSTALLER", "REQUESTED"}
    ]
    stem = f"{package.metadata['Name'].replace('-', '_').lower()}-{package.version}"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        for path in files:
            archive.write(str(path.locate()), path.as_posix())


def tracked(folder: str) -> set[str]:
    """The files below a folder of the repository that belong to it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}


def test_the_version_and_the_changelog_fit_and_every_fragment_is_well_formed() -> None:
    assert release.problems() == []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What a version is written from, beside this repository, with no fragment waiting."""
    for name in ("pyproject.toml", "CHANGELOG.md", release.VERSION_FILE, "changelog.d/entry.md.jinja"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def fragment(project: Path, name: str, text: str) -> None:
    """A fragment of the changelog."""
    (project / "changelog.d" / name).write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("speed.faster.md", "It is faster.", "Invalid news fragment name: speed.faster.md"),
        ("speed.md", "It is faster.", "Invalid news fragment name: speed.md"),
        ("speed.changed.md", "", "changelog.d/speed.changed.md is no sentence"),
        ("speed.changed.md", "# Speed", "changelog.d/speed.changed.md is no sentence"),
        ("speed.changed.md", "- It is faster.", "changelog.d/speed.changed.md is no sentence"),
    ],
)
def test_a_fragment_that_is_not_well_formed_is_named(project: Path, name: str, text: str, said: str) -> None:
    fragment(project, name, text)
    [problem] = release.problems(project)
    assert said in problem


def test_a_changelog_of_another_version_is_named(project: Path) -> None:
    (project / "CHANGELOG.md").write_text("# Changelog\n\n## 9.9.9 (2026-12-01)\n", "utf-8")
    [problem] = release.problems(project)
    assert problem == f"the package is {__version__}, and the newest entry of CHANGELOG.md is of 9.9.9"


@pytest.mark.parametrize("version", ["0.0.9", __version__, "1.0", "v2.0.0", "2.0.0rc1"])
def test_only_a_later_version_of_three_numbers_is_written(project: Path, version: str) -> None:
    fragment(project, "speed.changed.md", "It is faster.")
    with pytest.raises(Failure, match=f'"{re.escape(version)}" is no version after {re.escape(__version__)}'):
        release.write(version, project)


def test_a_new_version_needs_something_to_tell(project: Path) -> None:
    with pytest.raises(Failure, match="No fragment waits"):
        release.write("99.0.0", project)


def test_a_new_version_takes_up_the_fragments_above_the_entries_before(project: Path) -> None:
    before = (project / "CHANGELOG.md").read_text("utf-8")
    fragment(project, "speed.changed.md", "It is faster.\n")
    fragment(project, "hole.security.md", "A hole is closed.\n")
    release.write("99.0.0", project)
    head, _, rest = (project / "CHANGELOG.md").read_text("utf-8").partition("<!-- entries -->\n")
    entry, _, older = rest.partition(f"## {__version__} ")
    assert re.fullmatch(
        r"\n## 99\.0\.0 \(\d{4}-\d\d-\d\d\)\n"
        r"\n### Changed\n\n- It is faster\.\n\n### Security\n\n- A hole is closed\.\n\n+",
        entry,
    )
    assert before == f"{head}<!-- entries -->\n\n## {__version__} {older}"
    assert release.version(project) == "99.0.0"
    assert release.waiting(project) == []
    assert release.problems(project) == []


def test_the_wheel_from_the_sdist_holds_the_package_as_it_is_in_the_repository(
    built: tuple[Path, Path],
) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == tracked("labs")


def test_sdist_and_wheel_carry_licence_and_notice(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as sdist:
        texts = {Path(name).name for name in sdist.getnames() if name.count("/") == 1}
    with zipfile.ZipFile(built[1]) as wheel:
        licences = {Path(name).name for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert texts >= {"LICENSE", "NOTICE", "README.md", "pyproject.toml"}
    assert licences == {"LICENSE", "NOTICE"}


def test_the_package_needs_simpy_only_and_any_python_from_3_11_on(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = wheel.read(name).decode()
    assert declared(built[1]) == ["simpy"]
    assert "Requires-Python: >=3.11\n" in metadata


@pytest.mark.slow
def test_what_is_installed_is_not_this_folder(run_installed: Run, installed: Path) -> None:
    done = run_installed("python", "-I", "-c", "import labs; print(labs.__version__, labs.__file__)")
    version, place = done.stdout.split(maxsplit=1)
    assert version == __version__
    assert Path(place.strip()).is_relative_to(installed.parent)


def test_the_installed_check_finds_what_there_is_to_find(run_installed: Run, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(CONFIG, "utf-8")
    fine = run_installed("gpulab", "check", "config.yaml", "--lang", "en")
    assert (fine.returncode, fine.stderr) == (0, "")
    (tmp_path / "config.yaml").write_text(CONFIG.replace("replicas: 2", "replicas: two"), "utf-8")
    refused = run_installed("gpulab", "check", "config.yaml", "--format", "json", "--lang", "ko")
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["files"]


def test_the_installed_run_has_the_trace_of_this_folder(run_installed: Run, tmp_path: Path) -> None:
    (tmp_path / "story.yaml").write_text(STORY, "utf-8")
    done = run_installed("gpulab", "run", "story.yaml", "--format", "json", "--lang", "ja")
    library = builtin_library()
    here = evaluate(STORY, library.catalog, workloads=library.workloads).trace_hash
    assert json.loads(done.stdout)["traceHash"] == here


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address at which the installed program serves a site that came as a release's archive."""
    (tmp_path / "built" / "en").mkdir(parents=True)
    (tmp_path / "built" / "index.html").write_text("<p>日本</p>", "utf-8")
    (tmp_path / "built" / "en" / "index.html").write_text("<p>English</p>", "utf-8")
    shutil.unpack_archive(release.site_archive(tmp_path / "built", tmp_path / "site.zip"), tmp_path)
    command: CommandLine = [installed / "gpulab", "serve", "--site", "site", "--port", "0", "--lang", "en"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=bare_environment(), stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        try:
            yield re.findall(r"http://127\.0\.0\.1:\d+/", server.stdout.readline())[0]
        finally:
            server.terminate()


def test_the_installed_serve_shows_the_archive_of_a_release(served: str) -> None:
    with urllib.request.urlopen(f"{served}en/") as answer:
        assert answer.read().decode() == "<p>English</p>"


def test_the_installed_serve_says_where_a_site_comes_from(run_installed: Run) -> None:
    done = run_installed("gpulab", "serve", "--lang", "en")
    assert done.returncode == 2
    assert "Unpack the archive of it that a release holds" in done.stderr


def test_everyone_may_read_the_files_of_an_archive(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").touch()
    with zipfile.ZipFile(release.site_archive(tmp_path / "site", tmp_path / "site.zip")) as archive:
        [entry] = archive.infolist()
    assert (entry.create_system, oct(entry.external_attr >> 16)) == (3, "0o644")


def test_the_same_site_makes_the_same_archive(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    archives = []
    for name in ("first.zip", "second.zip"):
        page = tmp_path / "site" / "index.html"
        page.unlink(missing_ok=True)
        page.write_text("<p>", "utf-8")
        os.utime(page, (len(name), len(name)))
        archives.append(release.site_archive(tmp_path / "site", tmp_path / name).read_bytes())
    assert archives[0] == archives[1]
