"""`gpulab check FOLDER`: what is read, what is not and why, what is left out, and which files are of one cluster."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from labs.library import LANGUAGES
from tests.unit.edges.conftest import Command

REPORTS = Path(__file__).parents[2] / "cases" / "reports"
REFUSED = "version: v1\nsharing:\n  timeSlicing:\n    resources: [{name: nvidia.com/gpu, replicas: 1}]\n"
FINE = REFUSED.replace("1}", "4}").replace(
    "timeSlicing:", "timeSlicing:\n    failRequestsGreaterThanOne: true"
)
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: worker}
spec:
  containers:
    - name: worker
      image: example.com/worker:1
      resources: {limits: {nvidia.com/gpu: 1}}
"""
VALUES = "migManager: {enabled: false}\ndcgm: {enabled: false}\n"
DAEMON_SET = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin-daemonset, namespace: kube-system}
spec:
  selector: {matchLabels: {name: plugin}}
  template:
    metadata: {labels: {name: plugin}}
    spec:
      priorityClassName: system-node-critical
      tolerations: [{operator: Exists}]
      containers:
        - {name: nvidia-device-plugin-ctr, image: "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"}
"""


MANY_CONFIGS = "\n".join(
    (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: configs}\ndata:",
        f'  k0: &config "version: v1 #{"#" * 100_000}"',
        *(f"  k{number}: *config" for number in range(1, 30)),
    )
)
"""One config under many keys: the file is small, what is to be read is not."""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


class TestWhatCannotBeRead:
    """In a folder it is a line of the summary, and all else is checked."""

    def test_a_large_file_of_somebody_elses_hides_no_finding(self, command: Command, tmp_path: Path) -> None:
        shutil.copytree(REPORTS / "large-file-in-the-folder" / "cluster", tmp_path / "cluster")
        write(tmp_path, {"cluster/crds/bundle.yaml": "# a bundle of CRDs\n" * 60_000})
        ran = command("check", "cluster")
        assert ran.code == 1
        assert "GL202" in ran.out
        assert "bundle.yaml: not read: larger than 1,000,000 bytes" in ran.out
        assert ran.out.endswith("1 file read, 1 not read: 1 error.\n")
        assert ran.err == ""

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"\x1f\x8b\x08\x00" + bytes(range(256)), "it is binary"),
            (b"\x00\xff\xfa\x80" * 20, "it is binary"),
            (MANY_CONFIGS.encode(), "larger than this version reads"),
        ],
    )
    def test_nothing_is_said_of_it_but_why(
        self, command: Command, tmp_path: Path, content: bytes, reason: str
    ) -> None:
        write(tmp_path, {"all/fine.yaml": FINE})
        (tmp_path / "all" / "other.yaml").write_bytes(content)
        ran = command("check", "--format", "json", "all")
        assert ran.code == 0
        [skipped] = ran.json["summary"]["skipped"]
        assert (Path(skipped["path"]).name, ran.json["summary"]["read"]) == ("other.yaml", 1)
        assert reason in skipped["reason"]
        named = command("check", "--format", "json", str(tmp_path / "all" / "other.yaml"), "all/fine.yaml")
        assert (named.code, named.json["summary"]["read"]) == (2, 1)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    def test_a_pipe_and_a_broken_link_are_no_files(self, command: Command, tmp_path: Path) -> None:
        write(tmp_path, {"all/fine.yaml": FINE})
        os.mkfifo(tmp_path / "all" / "pipe.yaml")
        (tmp_path / "all" / "gone.yaml").symlink_to("nowhere.yaml")
        (tmp_path / "all" / "round").symlink_to(tmp_path / "all")
        ran = command("check", "--format", "json", "all")
        assert [Path(file["path"]).name for file in ran.json["files"]] == ["fine.yaml"]
        assert [Path(file["path"]).name for file in ran.json["summary"]["skipped"]] == [
            "gone.yaml",
            "pipe.yaml",
        ]

    def test_a_text_that_only_holds_a_null_is_the_loaders_to_judge(
        self, command: Command, tmp_path: Path
    ) -> None:
        (tmp_path / "config.yaml").write_bytes(b"version: v1\x00\n")
        ran = command("check", "--kind", "device-plugin", "--format", "json", "config.yaml")
        assert (ran.code, ran.json["files"][0]["documents"][0]["loads"]) == (1, False)

    def test_code_scanning_and_annotations_are_told_too(self, command: Command, tmp_path: Path) -> None:
        write(tmp_path, {"all/fine.yaml": FINE})
        (tmp_path / "all" / "other.yaml").write_bytes(b"PK\x03\x04 and so on")
        [run] = command("check", "--format", "sarif", "all").json["runs"]
        [notification] = run["invocations"][0]["toolExecutionNotifications"]
        assert "it is binary" in notification["message"]["text"]
        assert command("check", "--format", "github", "all").out.startswith("::notice file=all")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_what_nobody_here_knows_is_counted_and_not_listed(
        self, command: Command, tmp_path: Path, language: str
    ) -> None:
        write(tmp_path, {f"all/{n}.yaml": "apiVersion: v1\nkind: Service\n" for n in range(30)})
        write(tmp_path, {"all/fine.yaml": FINE})
        lines = command("check", "--lang", language, "all").out.splitlines()
        assert len(lines) == 3
        assert "30" in lines[1]
        named = command("check", "--lang", language, "all/7.yaml").out.splitlines()
        assert named[0].startswith("all/7.yaml:1")


class TestWhatIsLeftOut:
    @pytest.mark.parametrize(
        ("pattern", "left"),
        [
            ("vendor/", {"a.yaml", "deep/b.yaml", "deep/x.gen.yaml"}),
            ("*.gen.yaml", {"a.yaml", "deep/b.yaml", "vendor/c.yaml"}),
            ("/deep", {"a.yaml", "vendor/c.yaml"}),
            ("deep/*", {"a.yaml", "vendor/c.yaml"}),
            ("**/c.yaml", {"a.yaml", "deep/b.yaml", "deep/x.gen.yaml"}),
            ("[bc].yaml", {"a.yaml", "deep/x.gen.yaml"}),
            ("all/deep/", {"a.yaml", "vendor/c.yaml"}),
            ("[", {"a.yaml", "deep/b.yaml", "deep/x.gen.yaml", "vendor/c.yaml"}),
        ],
    )
    @pytest.mark.parametrize("by", ["option", "project", "ignore file"])
    def test_by_a_pattern(
        self, command: Command, tmp_path: Path, pattern: str, left: set[str], by: str
    ) -> None:
        if by == "ignore file" and pattern == "all/deep/":
            pattern = "deep/"
        write(
            tmp_path,
            {f"all/{name}": FINE for name in ("a.yaml", "deep/b.yaml", "deep/x.gen.yaml", "vendor/c.yaml")},
        )
        options = ["--exclude", pattern] if by == "option" else []
        if by == "project":
            anchored = (
                f"/all{pattern}" if pattern.startswith("/") else pattern.replace("deep/*", "all/deep/*")
            )
            (tmp_path / ".gpulab.toml").write_text(f'exclude = ["{anchored}"]\n', "utf-8")
        if by == "ignore file":
            (tmp_path / "all" / ".gitignore").write_text(f"# comment\n\n{pattern}\n", "utf-8")
        ran = command("check", "--format", "json", *options, "all")
        assert {Path(file["path"]).relative_to("all").as_posix() for file in ran.json["files"]} == left

    def test_a_file_that_is_named_is_checked_all_the_same(self, command: Command, tmp_path: Path) -> None:
        write(tmp_path, {"a.yaml": REFUSED, ".gitignore": "a.yaml\n"})
        assert command("check", "a.yaml", "--exclude", "a.yaml").code == 1

    def test_a_deeper_ignore_file_brings_back_and_the_option_asks_for_all(
        self, command: Command, tmp_path: Path
    ) -> None:
        write(tmp_path, {"all/x/a.yaml": FINE, "all/x/b.yaml": FINE, "all/.gitignore": "*.yaml\n"})
        write(tmp_path, {"all/x/.gitignore": "!a.yaml\n"})
        ran = command("check", "--format", "json", "all")
        assert [Path(file["path"]).name for file in ran.json["files"]] == ["a.yaml"]
        assert len(command("check", "--format", "json", "--no-ignore", "all").json["files"]) == 2

    def test_what_the_root_of_the_repository_ignores_counts_below(
        self, command: Command, tmp_path: Path
    ) -> None:
        write(
            tmp_path, {"x/y/a.yaml": FINE, ".gitignore": "/x/y/a.yaml\n", ".git/HEAD": "", "x/y/b.yaml": FINE}
        )
        ran = command("check", "--format", "json", "x/y")
        assert [Path(file["path"]).name for file in ran.json["files"]] == ["b.yaml"]

    def test_folders_of_tools_are_never_entered(self, command: Command, tmp_path: Path) -> None:
        write(tmp_path, {"all/.git/a.yaml": FINE, "all/node_modules/b/c.yaml": FINE, "all/d.yaml": FINE})
        ran = command("check", "--format", "json", "all")
        assert [Path(file["path"]).name for file in ran.json["files"]] == ["d.yaml"]


class TestClusters:
    def test_what_two_clouds_deploy_never_meets(self, command: Command, tmp_path: Path) -> None:
        shutil.copytree(REPORTS / "two-clusters-in-one-repository", tmp_path / "repository")
        assert command("check", "--format", "json", "repository").codes == []
        assert "GL514" in command("check", "--format", "json", "--one-cluster", "repository").codes

    @pytest.mark.parametrize(
        ("operator", "plugin", "apart"),
        [
            ("aws/values.yaml", "azure/plugin.yaml", True),
            ("clusters/prod/gpu-operator/values.yaml", "clusters/dev/nvidia-device-plugin/plugin.yaml", True),
            ("tutorials/terraform/eks/values.yaml", "deployment_on_cloud/azure/plugin.yaml", True),
            ("values.yaml", "plugin.yaml", False),
            ("gpu-operator/values.yaml", "nvidia-device-plugin/plugin.yaml", False),
            ("infrastructure/values.yaml", "apps/plugin.yaml", False),
            ("values.yaml", "azure/plugin.yaml", False),
            ("prod/gpu-operator/values.yaml", "prod/device-plugin/plugin.yaml", False),
        ],
    )
    def test_folders_are_told_apart_by_what_is_deployed_in_them_and_by_their_names(
        self, command: Command, tmp_path: Path, operator: str, plugin: str, apart: bool
    ) -> None:
        write(tmp_path, {f"all/{operator}": VALUES, f"all/{plugin}": DAEMON_SET})
        assert ("GL514" in command("check", "--format", "json", "all").codes) is not apart

    def test_a_pod_of_a_folder_of_its_own_is_held_against_each_cluster_and_told_once(
        self, command: Command, tmp_path: Path
    ) -> None:
        renamed = FINE.replace("timeSlicing:", "timeSlicing:\n    renameByDefault: true")
        write(
            tmp_path,
            {
                "all/aws/values.yaml": VALUES,
                "all/aws/config.yaml": renamed,
                "all/azure/plugin.yaml": DAEMON_SET,
                "all/azure/config.yaml": renamed,
                "all/jobs/pod.yaml": POD,
            },
        )
        assert command("check", "--format", "json", "--select", "GL901", "all").codes == ["GL901"]

    def test_a_project_says_which_paths_are_of_one_cluster(self, command: Command, tmp_path: Path) -> None:
        write(tmp_path, {"all/gpu-operator/values.yaml": VALUES, "all/old/device-plugin.yaml": DAEMON_SET})
        assert "GL514" in command("check", "--format", "json", "all").codes
        own = '[[cluster]]\nname = "new"\npaths = ["/all/gpu-operator/"]\n[[cluster]]\nname = "old"\npaths = ["old/"]\n'
        write(tmp_path, {".gpulab.toml": own})
        assert "GL514" not in command("check", "--format", "json", "all").codes

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("table", ["cluster = 1", "[[cluster]]\nname = 'a'", "[[cluster]]\npath = ['a']"])
    def test_a_wrong_table_is_told(self, command: Command, tmp_path: Path, table: str, language: str) -> None:
        write(tmp_path, {".gpulab.toml": table, "a.yaml": FINE})
        ran = command("check", "--lang", language, "a.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert "cluster" in ran.err.partition(".toml")[2]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="who may read all has no such file")
def test_a_file_without_permission_is_told(command: Command, tmp_path: Path) -> None:
    write(tmp_path, {"all/fine.yaml": FINE, "all/closed.yaml": FINE})
    (tmp_path / "all" / "closed.yaml").chmod(0)
    ran = command("check", "--format", "json", "all")
    assert [Path(file["path"]).name for file in ran.json["summary"]["skipped"]] == ["closed.yaml"]


def test_a_name_that_no_config_has_is_said_to_be_none(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    off = "[{devices: all, mig-enabled: false}]"
    configs = f"version: v1\nmig-configs:\n  a: {off}\n  b: {off}\n"
    Path("mig.yaml").write_text(configs, "utf-8")
    ran = command("check", "--node", "a100-40gb-x4", "--mig-config", "c", "mig.yaml")
    assert "none of them has the name of --mig-config c" in ran.out
    assert (
        "none of them" not in command("check", "--node", "a100-40gb-x4", "--mig-config", "a", "mig.yaml").out
    )
