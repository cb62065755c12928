from __future__ import annotations

from dataclasses import replace

from labs.report.result.tables import error_notes, gpus_table, nodes_table, pods_table
from labs.report.writing.measure import columns
from labs.report.writing.table import Column, Table, table_html, table_text
from labs.simulation.outcome.outcome import ExpectedError, Latency, Outcome
from tests.unit.report.stories import messages, play, shared
from tests.unit.scenarios import node, outcome, pods, scenario, service, training


def article() -> Outcome:
    return play(shared()).outcome


class TestPods:
    def test_a_row_for_each_with_what_it_held_at_most(self) -> None:
        table = pods_table(article(), messages("en"))
        assert [column.heading for column in table.columns] == [
            "Pod",
            "GPU",
            "Phase",
            "GPU memory, peak",
            "OOM",
        ]
        assert table.rows[0] == ("big-0", "0", "Running", "38.3 GiB", "0")
        assert table.rows[4] == ("notebook-3", "0", "Running", "300 MiB", "1")
        assert len(table.rows) == 20

    def test_many_pods_share_rows_by_workload_card_and_state(self) -> None:
        table = pods_table(play(shared(big="3GiB", others="3GiB", count=39), 10).outcome, messages("en"))
        assert [row[0] for row in table.rows] == [
            "big-0",
            *("notebook × 10",) * 3,
            "notebook × 9",
        ]

    def test_nodes_are_named_where_there_are_several(self) -> None:
        table = pods_table(play(shared(nodes=2, cards=2)).outcome, messages("en"))
        assert table.columns[1].heading == "Node"

    def test_work_shows_its_speed(self) -> None:
        outcome = article()
        first = replace(outcome.pods[0], slowdown=3.918, throughput=2.5, latency=Latency(88.0))
        table = pods_table(replace(outcome, pods=(first, *outcome.pods[1:])), messages("en"))
        assert table.rows[0][-3:] == ("3.92×", "2.5/s", "88 ms")
        assert table.rows[1][-3:] == ("–", "–", "–")

    def test_percentiles_stand_where_every_request_was_told(self) -> None:
        work = [pods("a", 2, memory="1GiB", job=service("100ms", clients=1))]
        by_rates, by_requests = (
            pods_table(outcome(scenario([node(replicas=2)], work, detail=detail)), messages("en"))
            for detail in ("rates", "requests")
        )
        heads = [[column.heading for column in table.columns] for table in (by_rates, by_requests)]
        assert heads[1] == [*heads[0], "Latency, p50", "Latency, p99"]
        assert all(float(row[-2].split()[0]) < float(row[-3].split()[0]) for row in by_requests.rows)
        notes = [
            any("drawn with seed 1" in note for note in table.notes) for table in (by_rates, by_requests)
        ]
        assert notes == [False, True]

    def test_a_queue_that_grows_has_no_percentiles(self) -> None:
        work = [pods("a", memory="1GiB", job=service("100ms", rate="20/s"))]
        table = pods_table(outcome(scenario([node()], work, detail="requests")), messages("en"))
        assert table.rows[0][-1] == "grows"

    def test_faults_are_counted_where_a_scenario_has_some(self) -> None:
        faults = [
            {"at": "60s", "pod": "a-0", "kind": "process"},
            {"at": "90s", "pod": "a-0", "kind": "process"},
        ]
        work = [pods("a", 2, memory="1GiB")]
        plain, broken = (
            pods_table(outcome(text), messages("en"))
            for text in (
                scenario([node(replicas=2)], work),
                scenario([node(replicas=2)], work, faults=faults),
            )
        )
        heads = [[column.heading for column in table.columns] for table in (plain, broken)]
        assert heads[1] == [*heads[0], "Faults"]
        assert [row[-1] for row in broken.rows] == ["2", "0"]

    def test_how_long_it_took_those_that_are_done(self) -> None:
        """From the start, not from the beginning of the run; the longest where several share a row."""
        workloads = [
            pods("quick", arrival="10s", job=training("1s", 20)),
            pods("slow", arrival="10s", job=training("1s", 90)),
            pods("cut", job=training("1s", 10**6)),
        ]
        table = pods_table(outcome(scenario([node(cards=3)], workloads)), messages("en"))
        done = [column.heading for column in table.columns].index("Done after")
        assert [row[done] for row in table.rows] == ["20 s", "1 min 30 s", "–"]
        many = [pods("many", 40, arrival={"every": "10s"}, job=training("1s", 20))]
        rows = pods_table(outcome(scenario([node()], many, horizon="1h")), messages("en")).rows
        assert [row[done] for row in rows] == ["20 s"]

    def test_a_latency_that_grows_is_told(self) -> None:
        workloads = [
            pods("flooded", job=service("100ms", rate="50/s")),
            pods("calm", job=service("100ms", rate="1/s")),
        ]
        table = pods_table(outcome(scenario([node(cards=2)], workloads)), messages("en"))
        latency = [column.heading for column in table.columns].index("Latency, mean")
        assert [row[latency] for row in table.rows] == ["grows", "111.1 ms"]

    def test_pods_that_share_a_row_share_the_bad_news(self) -> None:
        workloads = [pods("flooded", 40, job=service("100ms", rate="5/s"))]
        table = pods_table(outcome(scenario([node(replicas=40)], workloads)), messages("en"))
        assert [(row[0], row[-1]) for row in table.rows] == [("flooded × 40", "grows")]

    def test_that_nobody_has_measured_the_latency_of_open_services_stands_under_it(self) -> None:
        unknown = "No published measurement covers the latency of services whose requests come at a rate of their own"
        by_rate = scenario([node()], [pods("a", job=service("100ms", rate="1/s"))])
        by_clients = scenario([node()], [pods("a", job=service("100ms", clients=2))])
        assert unknown in table_text(pods_table(outcome(by_rate), messages("en"))).replace("\n  ", " ")
        assert pods_table(outcome(by_clients), messages("en")).notes == ()

    def test_what_several_cards_mean_for_memory_and_speed(self) -> None:
        idle = pods_table(outcome(scenario([node(cards=2)], [pods("a", units=2)])), messages("en"))
        assert [note.split(" holds ")[0] for note in idle.notes] == ["A Pod with several GPUs"]
        worker = [pods("a", units=2, memory="1GiB", job=training())]
        works = pods_table(outcome(scenario([node(cards=2)], worker)), messages("en"))
        assert len(works.notes) == 2
        assert "2.6 GiB" in works.rows[0]

    def test_notes_outlive_a_table_that_is_shortened(self) -> None:
        table = Table("t", (Column("a"), Column("b")), (("x", "–"),) * 310, ("a note",))
        shown = table.without_empty_columns().shortened(messages("en"))
        assert shown.notes == ("and 10 more rows", "a note")
        assert table_html(shown).count('<p class="gl-note">') == 2


class TestCardsAndNodes:
    def test_cards(self) -> None:
        table = gpus_table(article(), messages("en"))
        assert table.rows[0] == ("GPU 0", "0%", "39.2 GiB", "4")

    def test_nodes(self) -> None:
        assert nodes_table(article(), messages("en")).rows == (("gpu-node-1", "nvidia.com/gpu: 20"),)

    def test_a_refused_node_shows_why(self) -> None:
        table = nodes_table(play(shared(), 1, error="no").outcome, messages("ja"))
        assert table.rows == (("gpu-node-1", "no"),)
        assert table.columns[1].heading == "エラー"


class TestExpectedError:
    ERROR = ExpectedError("time-slicing", 10.0, "Measured.")

    def test_idle_pods_are_not_predicted(self) -> None:
        assert error_notes(replace(article(), expected_errors=(self.ERROR,)), messages("en")) == ()

    def test_beside_results_that_progress(self) -> None:
        outcome = article()
        pods = (replace(outcome.pods[0], slowdown=2.0), *outcome.pods[1:])
        notes = error_notes(replace(outcome, pods=pods, expected_errors=(self.ERROR,)), messages("en"))
        assert notes == (
            "Speeds under time-slicing are predictions; expect them to be off by about ±10% "
            "(nine of ten of 193 published speeds are met within this, half of them within 5%: pairs of training jobs, "
            "and always busy inference in three to seven copies, which is met within 3%).",
        )


class TestForms:
    TABLE = Table("枠 & co", (Column("名前"), Column("n", figures=True)), (("파드<b>", "1"), ("a", "22")))

    def test_html_has_caption_scopes_and_no_markup_of_others(self) -> None:
        html = table_html(self.TABLE)
        assert "<caption>枠 &amp; co</caption>" in html
        assert '<th scope="col">名前</th><th scope="col" class="gl-figures">n</th>' in html
        assert '<tr><th scope="row">파드&lt;b&gt;</th><td class="gl-figures">1</td></tr>' in html

    def test_text_lines_up_by_display_width(self) -> None:
        assert table_text(self.TABLE).split("\n") == [
            "枠 & co",
            "  名前      n",
            "  파드<b>   1",
            "  a        22",
        ]

    def test_long_cells_are_cut(self) -> None:
        table = Table("t", (Column("a"), Column("b", figures=True)), (("枠" * 40, "1"),))
        assert max(columns(line) for line in table_text(table).split("\n")) <= 2 + 30 + 2 + 1

    def test_what_is_too_long_says_how_much_is_left_out(self) -> None:
        table = Table("t", (Column("a"),), (("x",),) * 310).shortened(messages("en"))
        assert len(table.rows) == 300
        assert table_text(table).endswith("and 10 more rows")
        assert "and 10 more rows" in table_html(table)
