"""Reading the notes of a campaign."""

from __future__ import annotations

from collections.abc import Iterator

from innominate.campaign.config import Campaign
from innominate.campaign.notes import Note, prepare, problem_of_note
from innominate.campaign.plan import Plan, Sources
from innominate.cli.console import stderr
from innominate.core import Document, Rejected
from innominate.formats import read


class Reading:
    """Reads and cuts the notes of a plan; what cannot be read is named and left out."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.notes_read = self.chunks = self.training = self.rejected = 0

    def notes(self) -> Iterator[Note]:
        """Yield the notes for training, then the others."""
        yield from self._of(self._plan.training, self._plan.campaign, training=True)
        yield from self._of(self._plan.work, self._plan.campaign, training=False)

    def _of(self, sources: Sources, campaign: Campaign, *, training: bool) -> Iterator[Note]:
        if not sources.notes:
            return
        for item in read(list(sources.notes), sources.format or None, **sources.options):
            if isinstance(item, Document) and (reason := problem_of_note(item)):
                item = Rejected(item.id, f"document {item.id!r}: {reason}")
            if isinstance(item, Rejected):
                self.rejected += 1
                stderr.print(f"[red]left out:[/] {item}", soft_wrap=True, highlight=False)
                continue
            note = prepare(item, campaign, training=training)
            self.notes_read += 1
            self.chunks += len(note.samples)
            self.training += len(note.samples) if training else 0
            yield note
