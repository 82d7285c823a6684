"""Small campaigns for the tests of the store."""

from innominate.campaign.planning.config import Campaign
from innominate.campaign.planning.notes import prepare_note
from innominate.campaign.records import Annotator, Answer
from innominate.campaign.store import create_store
from innominate.core import Document, Span

NOW = 1_700_000_000.0
MINUTE = 60.0


def notes(campaign, documents=4, lines=5):
    return [
        prepare_note(Document(f"d{number}", "\n".join(f"Ligne {line} du 3 mai" for line in range(lines))), campaign)
        for number in range(documents)
    ]


def made(url, people=3, documents=4, lines=5, **choices):
    """A store with so many people and chunks."""
    campaign = Campaign("contest", "chuv", **choices)
    store = create_store(url, campaign, NOW)
    store.register([Annotator(f"a{number}", f"team{number % 2}") for number in range(people)], NOW)
    store.add_notes(notes(campaign, documents, lines), NOW)
    return store


def answer(task, id, **changes):
    """An answer to a task that marks the date."""
    given = {"spans": (Span(11, 16, "DATE"),), "at": NOW, **changes}
    return Answer(id, task.sample.id, task.annotator, **given)
