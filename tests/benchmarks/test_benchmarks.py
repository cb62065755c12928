"""The pieces of the benchmarks run, at a size of nothing, and say what they measured; no time is judged."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import build, check, fleet, machine, naive, rollouts, simulation
from benchmarks.table import Result, Table, median, percentile, shown
from benchmarks.wire import served
from labs.library import builtin_library
from labs.lint.core.linter import lint, read
from labs.lint.subject.settings import Settings
from labs.simulation.outcome.totals import outcome_of
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.world.run import run
from tools.paths import ROOT
from tools.process import Failure


class TestTables:
    def test_a_table_is_text_with_figures_to_the_right(self) -> None:
        table = Table(
            "Times", ("", "ms", "times"), (("cold", 1234.5, 3), ("warm", 0.123456, None)), ("A note.",)
        )
        assert table.to_text() == (
            "Times\n\n"
            "         ms  times\n"
            "----  -----  -----\n"
            "cold  1,234      3\n"
            "warm  0.123      –\n\n"
            "A note.\n"
        )

    def test_json_keeps_what_was_measured(self) -> None:
        result = Result((Table("Times", ("", "ms"), (("warm", 0.123456),)),), {"warm": [0.123456]})
        assert json.loads(json.dumps(result.to_json())) == {
            "tables": [{"title": "Times", "columns": ["", "ms"], "rows": [["warm", 0.123456]], "notes": []}],
            "samples": {"warm": [0.123456]},
        }

    @pytest.mark.parametrize(
        ("cell", "text"), [("a", "a"), (None, "–"), (12_345, "12,345"), (99.96, "100"), (1234.4, "1,234")]
    )
    def test_a_cell(self, cell: str | int | float | None, text: str) -> None:
        assert shown(cell) == text

    def test_percentiles_are_measured_values(self) -> None:
        assert percentile([5.0, 1.0, 3.0, 2.0, 4.0, 9.0, 7.0, 8.0, 6.0, 10.0], 90) == 9.0
        assert percentile([2.0], 90) == 2.0
        assert median([3.0, 1.0, 2.0]) == 2.0


class TestNaiveModel:
    def test_a_pod_alone_runs_at_full_speed(self) -> None:
        result = naive.run(nodes=1, cards=1, pods=1, solo_us=100_000, residency=0.5, horizon_us=1_000_001)
        assert result == naive.Naive(slices=250, work_us=500_000)

    def test_two_that_want_the_whole_card_get_half_each_less_the_switches(self) -> None:
        result = naive.run(nodes=1, cards=1, pods=2, solo_us=100_000, residency=1.0, horizon_us=10_800_000)
        assert result.work_us == pytest.approx(10_800_000 * 2_000 / 2_160, rel=0.001)

    def test_it_agrees_with_the_simulator(self) -> None:
        scenario = read_scenario(fleet.full_house(1, cards=1), builtin_library().catalog)
        slowdown = outcome_of(scenario, run(scenario)).pods[0].slowdown
        horizon_us = 20_000_000
        slow = naive.run(nodes=1, cards=1, pods=5, solo_us=120_000, residency=0.9, horizon_us=horizon_us)
        assert slowdown is not None
        assert slow.work_us / (0.9 * 5 * horizon_us) == pytest.approx(1 / slowdown, rel=0.03)


class TestFleets:
    def test_every_pod_of_a_full_house_runs(self) -> None:
        scenario = read_scenario(fleet.full_house(2), builtin_library().catalog)
        outcome = outcome_of(scenario, run(scenario))
        assert len(outcome.pods) == 2 * 8 * 5
        assert {str(pod.phase) for pod in outcome.pods} == {"Running"}

    def test_most_of_a_days_pods_end_within_the_day(self) -> None:
        scenario = read_scenario(fleet.day(1), builtin_library().catalog)
        phases = [str(pod.phase) for pod in outcome_of(scenario, run(scenario)).pods]
        assert len(phases) == 100
        assert set(phases) == {"Running", "Succeeded"}
        assert phases.count("Succeeded") > 50


class TestParts:
    def test_the_simulator_beside_the_naive_model(self) -> None:
        (table,) = simulation.against_naive((1,), budget_s=0.01).tables
        row = dict(zip(table.columns, table.rows[0], strict=True))
        assert row["Pods"] == 40
        assert all(isinstance(figure, int | float) and figure > 0 for figure in row.values())

    def test_a_day_and_a_week(self) -> None:
        day, week = simulation.days((2, 3)).tables
        row = dict(zip(day.columns, day.rows[1], strict=True))
        assert row["Pods"] == 300
        assert float(str(row["growth by n log n"])) > 0
        assert row["peak memory, MB"] is None or float(str(row["peak memory, MB"])) > 10
        assert [line[:2] for line in week.rows] == [(3, 300)]

    @pytest.mark.slow
    def test_the_build_beside_plain_material(self) -> None:
        result = build.build_times(repeats=1)
        assert [row[0] for row in result.tables[0].rows] == [build.OURS, build.PLAIN]
        assert {len(times) for times in result.samples.values()} == {1}

    def test_plain_material_has_every_page_and_nothing_of_ours(self, tmp_path: Path) -> None:
        folder = build.plain_copy(tmp_path)
        pages = sorted(path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*.md"))
        assert sorted(path.relative_to(folder) for path in (folder / "docs").rglob("*.md")) == pages
        stock = (folder / "mkdocs.yml").read_text("utf-8")
        assert "hooks" not in stock
        assert "custom_dir" not in stock

    def test_a_check_beside_other_programs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        programs = tmp_path / "bin"
        programs.mkdir()
        for name in (check.YAMLLINT, check.SCHEMA):
            (programs / name).write_text(f"#!{sys.executable}\n", "utf-8")
            (programs / name).chmod(0o755)
        monkeypatch.setattr(check, "installed", lambda: programs)
        result = check.measure(repeats=1, files=3, large_bytes=2_000)
        rows = {
            row[0]: dict(zip(result.tables[0].columns, row, strict=True)) for row in result.tables[0].rows
        }
        assert list(rows) == [check.OURS, check.YAMLLINT, check.SCHEMA]
        assert rows[check.OURS]["as gpulab"] == 1
        assert {len(times) for times in result.samples.values()} == {1}

    def test_the_files_of_a_check_have_nothing_to_find(self, tmp_path: Path) -> None:
        for paths in check.written(tmp_path, files=3, large_bytes=5_000).values():
            sources = [read(path, Path(path).read_bytes(), Settings()) for path in paths]
            assert all(each.loads for source in sources for each in source.documents)
            assert not any(lint(sources, Settings()).values())
        assert 4_000 < (tmp_path / "large.yaml").stat().st_size <= 5_000

    def test_the_machine_is_described_without_names(self) -> None:
        described = machine.describe()
        assert {"processor", "cores", "memoryGiB", "python", "chromium"} <= set(described)
        text = json.dumps(described)
        assert str(ROOT) not in text
        assert str(Path.home()) not in text


def test_the_wire_is_gzip_with_tags_and_for_ever_where_names_have_a_hash(tmp_path: Path) -> None:
    (tmp_path / "runtime").mkdir()
    (tmp_path / "index.html").write_text("word " * 1000, "utf-8")
    (tmp_path / "runtime" / "python-0123456789abcdef.zip").write_bytes(b"zip")
    with served(tmp_path) as wire:
        with urllib.request.urlopen(wire.url) as page:
            body = page.read()
        assert page.headers["Content-Encoding"] == "gzip"
        assert page.headers["Cache-Control"] == "no-cache"
        assert page.headers["Content-Security-Policy"]
        with urllib.request.urlopen(f"{wire.url}runtime/python-0123456789abcdef.zip") as kept:
            kept.read()
        assert "immutable" in kept.headers["Cache-Control"]
        again = urllib.request.Request(wire.url, headers={"If-None-Match": page.headers["ETag"]})
        with pytest.raises(urllib.error.HTTPError, match="304") as unchanged:
            urllib.request.urlopen(again)
        unchanged.value.close()
        sizes = [size for _, size in wire.answers(0)]
        assert [path for path, _ in wire.answers(2)] == ["/"]
        assert sizes[0] == len(body) < 100
        assert sizes[2] == 0


class TestCommand:
    @pytest.fixture(autouse=True)
    def one_part(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = Table("Times", ("", "ms"), (("warm", 0.5),))
        monkeypatch.setattr(command, "PARTS", {"part": ("a part", lambda: Result((table,), {"warm": [0.5]}))})

    def test_a_part_is_printed_and_written(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["part", "--results", str(tmp_path / "new")]) == 0
        assert capsys.readouterr().out == "Times\n\n       ms\n----  ---\nwarm  0.5\n\n"
        written = json.loads((tmp_path / "new" / "part.json").read_text("utf-8"))
        assert written["command"] == "python3 dev.py bench part"
        assert written["samples"] == {"warm": [0.5]}
        assert written["machine"]["cores"] >= 1

    def test_an_unknown_part_is_wrong_usage(self) -> None:
        with pytest.raises(SystemExit) as caught:
            command.main(["parts"])
        assert caught.value.code == 2

    def test_a_part_that_cannot_be_measured_is_one_sentence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def fail() -> Result:
            raise Failure("There is no Chromium.")

        monkeypatch.setattr(command, "PARTS", {"part": ("a part", fail)})
        assert command.main(["--results", str(tmp_path)]) == 1
        assert capsys.readouterr().err == "There is no Chromium.\n"


@pytest.mark.parametrize("part", list(command.PARTS))
def test_results_that_are_kept_name_the_command_and_no_place(part: str) -> None:
    text = (command.RESULTS / f"{part}.json").read_text("utf-8")
    assert json.loads(text)["command"] == f"python3 dev.py bench {part}"
    assert "/home/" not in text
    assert "://" not in text


class TestRollouts:
    def test_a_rollout_is_measured_alone_and_beside_workloads(self) -> None:
        alone, beside = rollouts.rollouts((2,)).tables
        assert [row[:2] for row in alone.rows] == [(2, "1"), (2, "10%")]
        assert [row[:3] for row in beside.rows] == [(2, "1", 32), (2, "10%", 32)]
        assert all(isinstance(row[-1], float) for row in (*alone.rows, *beside.rows))
