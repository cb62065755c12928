"""What can go wrong with the catalog, as exceptions that carry the values they speak of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogProblem:
    """One defect of a catalog file: `path` as in `gpus[3].memory_mib.value`, and what to do about it."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class CatalogError(ValueError):
    """A catalog file that does not keep to the schema; `problems` has every defect found, in file order."""

    def __init__(self, problems: tuple[CatalogProblem, ...]) -> None:
        self.problems = problems
        lines = "\n".join(f"  {problem}" for problem in problems)
        super().__init__(f"the GPU catalog has {len(problems)} problem(s):\n{lines}")


class UnknownGpuError(LookupError):
    """No card of the catalog has this id; `suggestions` are the ids most likely meant, best first."""

    def __init__(self, gpu_id: str, suggestions: tuple[str, ...]) -> None:
        self.gpu_id = gpu_id
        self.suggestions = suggestions
        hint = f"did you mean {', '.join(suggestions)}?" if suggestions else "see the catalog for all"
        super().__init__(f'unknown GPU "{gpu_id}": expected an id of the catalog; {hint}')


class UnknownFigureError(LookupError):
    """A figure that is needed has no value, since no source for it was found.

    `gpu_id` names the card and `figure` the key of the catalog, such as `memory_mib`.
    """

    def __init__(self, gpu_id: str, figure: str, note: str | None = None) -> None:
        self.gpu_id = gpu_id
        self.figure = figure
        self.note = note
        because = f" ({note})" if note else ""
        super().__init__(
            f'the catalog has no value for "{figure}" of GPU "{gpu_id}"{because}: no source was found; '
            "choose another GPU"
        )
