"""Files that have nothing to do with GPUs, although they look a little like the plugin's configs."""

from __future__ import annotations

from pathlib import Path

import pytest

from labs.config.documents import Kind, check
from labs.hardware.catalog import builtin_catalog
from labs.lint.core.linter import lint, read
from labs.lint.subject.settings import Settings

FOLDER = Path(__file__).parents[3] / "cases" / "reports" / "unrelated-template-configmap"
FILES = sorted(FOLDER.glob("*.yaml"))
SETTINGS = Settings(catalog=builtin_catalog())


def kinds(text: str) -> list[str]:
    return [str(checked.document.kind) for checked in check(text)]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_config_map_with_placeholders_holds_no_config(path: Path) -> None:
    source = read(path.name, path.read_text("utf-8"), SETTINGS)
    assert [checked.document.kind for checked in source.documents] == [Kind.CONFIG_MAP]
    assert lint([source], SETTINGS) == {path.name: ()}


@pytest.mark.parametrize(
    "value",
    [
        "{{ .Values.level }}",
        '{{ include "app.host" . }}',
        "{{ level }}",
        "{% if x %}{% endif %}",
        "${LEVEL}",
        "{}",
        "[]",
        "",
        "~",
        "{? {a: b} : c}",
        "<% level %>",
        "# nothing",
        "{[a]: b}",
    ],
)
def test_a_value_without_one_key_of_the_plugins_is_no_config(value: str) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: app}}\ndata:\n  LEVEL: |\n    {value}\n"
    assert kinds(text) == ["ConfigMap"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("version: v1\nhooks:\n  pre-apply-mode: [{command: /bin/true}]\n", "mig-parted-hooks"),
        ("version: v1\nsystemd-services: [nvsm.service, dcgm.service]\n", "mig-manager-clients"),
        (
            "version: v1\nvgpu-configs:\n  default: [{devices: all, vgpu-devices: {A100-40C: 1}}]\n",
            "vgpu-device-manager",
        ),
        ("version: v1\nlint: {use: [DEFAULT]}\n", "unknown"),
        ("version: v1\nscrape_configs: []\n", "unknown"),
        ("version: v1\nservices: {web: {image: web}}\n", "unknown"),
        ("version: v1\nsharing: {}\n", "device-plugin"),
        ("version: v1\n", "device-plugin"),
        ("version: v1\nmig-configs: {}\n", "mig-parted"),
    ],
)
def test_files_that_say_version_v1_are_told_apart(text: str, kind: str) -> None:
    assert kinds(text) == [kind]
    held = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n"
    inside = kinds(held + "".join(f"    {line}\n" for line in text.splitlines()))
    assert inside == ["ConfigMap", *([kind] if kind in ("device-plugin", "mig-parted") else [])]
