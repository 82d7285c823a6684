"""What became of one input: a document, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from innominate.core import Document, ProcessingError, Rejected
from innominate.run.limits import TimeLimitError, time_limit
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A note that is withheld: its id, the step that failed and a reason without any of its text."""

    id: str
    step: str
    reason: str
    source: str = ""
    line: int | None = None


Outcome = Document | Quarantined


@dataclass(frozen=True, slots=True)
class Task:
    """What to do with each document. A value, so that it can be sent to a worker process."""

    action: str  # "deidentify", "detect" or "conceal": a method of Pipeline
    settings: Settings

    def __call__(self, item: Document | Rejected) -> Outcome:
        """Work on one document; whatever happens, the answer is a document or a quarantine entry."""
        if isinstance(item, Rejected):
            return Quarantined(item.id, "read", item.reason, item.source, item.line)
        try:
            with time_limit(self.settings.time_limit):
                result: Document = getattr(Pipeline(self.settings), self.action)(item)
                return result
        except ProcessingError as error:
            return Quarantined(item.id, error.step, error.reason)
        except TimeLimitError as error:
            return Quarantined(item.id, self.action, str(error))
        except Exception as error:
            return Quarantined(item.id, self.action, type(error).__name__)
