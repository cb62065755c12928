"""A config for mig-parted as text: what `labs.config.mig_parted.loader.load` reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def config_text(name: str, entries: Iterable[tuple[Sequence[int] | None, Mapping[str, int]]]) -> str:
    """One config with an entry for each of `entries`: the cards (None: all) and how many devices of each profile.

    No devices mean cards that stay whole.
    """
    lines = ["version: v1", "mig-configs:", f"  {name}:"]
    for cards, counts in entries:
        card_list = "all" if cards is None else "[" + ", ".join(map(str, cards)) + "]"
        lines.append(f"    - devices: {card_list}")
        lines.append(f"      mig-enabled: {'true' if counts else 'false'}")
        if counts:
            lines.append("      mig-devices:")
            lines += [f'        "{profile}": {count}' for profile, count in counts.items()]
    return "\n".join(lines) + "\n"
