"""A DaemonSet's revisions: what a new template and `kubectl rollout undo` make of its ControllerRevisions.

Sources: Kubernetes `pkg/controller/daemon/update.go` (constructHistory, cleanupHistory), kubectl
`pkg/polymorphichelpers/rollback.go` (DaemonSetRollbacker).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

REVISION_HISTORY_LIMIT = 10  # old revisions kept (the default of spec.revisionHistoryLimit)


class UndoError(ValueError):
    """`kubectl rollout undo` refuses; the text is its own."""


@dataclass(frozen=True, slots=True)
class History:
    """The ControllerRevisions: number by template. The template of the DaemonSet is `current`."""

    current: str
    numbers: tuple[tuple[str, int], ...]  # ascending by number

    @classmethod
    def created(cls, template: str) -> History:
        """The history of a new DaemonSet."""
        return cls(template, ((template, 1),))

    def apply(self, template: str) -> History:
        """The history after this template is applied: one that was there before gets the highest number."""
        if template == self.current:
            return self
        others = tuple(entry for entry in self.numbers if entry[0] != template)
        highest = max(number for _, number in self.numbers)
        return History(template, (*others, (template, highest + 1)))

    def undo(self, to_revision: int = 0) -> tuple[History, str]:
        """The history after `kubectl rollout undo`, and what it prints; 0: the second-highest revision.

        Raises UndoError.
        """
        if to_revision == 0:
            if len(self.numbers) < 2:
                raise UndoError("no last revision to roll back to")
            target, number = self.numbers[-2]
        else:
            revision = next((entry for entry in self.numbers if entry[1] == to_revision), None)
            if revision is None:
                raise UndoError(f"unable to find specified revision {to_revision} in history")
            target, number = revision
        if target == self.current:
            return self, f"skipped rollback (current template already matches revision {number})"
        return self.apply(target), "rolled back"

    def cleaned(self, live: Collection[str]) -> History:
        """The history without the oldest revisions past the limit; those that a live Pod still uses stay."""
        if len(self.numbers) <= REVISION_HISTORY_LIMIT + 1:
            return self
        excess = len(self.numbers) - 1 - REVISION_HISTORY_LIMIT
        unused = [entry for entry in self.numbers if entry[0] != self.current and entry[0] not in live]
        dropped = set(unused[:excess])
        return History(self.current, tuple(entry for entry in self.numbers if entry not in dropped))
