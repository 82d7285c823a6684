"""Reading the notes of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from innominate.campaign.planning.notes import CampaignNote, prepare_note, problem_of_note
from innominate.campaign.planning.plan import Plan, Sources
from innominate.core import Document, Rejected
from innominate.formats import read


class PlanReader:
    """Reads and cuts the notes of a plan and counts them; what cannot be read is handed to `left_out`."""

    def __init__(self, plan: Plan, left_out: Callable[[Rejected], None] = lambda item: None) -> None:
        self._plan, self._left_out = plan, left_out
        self.notes_read = self.chunks = self.training = self.rejected = 0

    def notes(self) -> Iterator[CampaignNote]:
        """Yield the notes for training, then the others."""
        yield from self._of(self._plan.training, training=True)
        yield from self._of(self._plan.work, training=False)

    def _of(self, sources: Sources, *, training: bool) -> Iterator[CampaignNote]:
        if not sources.notes:
            return
        for item in read(list(sources.notes), sources.format or None, **sources.options):
            if isinstance(item, Document) and (reason := problem_of_note(item)):
                item = Rejected(item.id, f"document {item.id!r}: {reason}")
            if isinstance(item, Rejected):
                self.rejected += 1
                self._left_out(item)
                continue
            note = prepare_note(item, self._plan.campaign, training=training)
            self.notes_read += 1
            self.chunks += len(note.samples)
            self.training += len(note.samples) if training else 0
            yield note
