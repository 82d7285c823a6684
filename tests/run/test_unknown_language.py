"""A note in another language than said, or in none we know, is noticed: never run through the wrong rules in silence."""

import pytest

from innominate.core import Document, UsageError
from innominate.run.outcome import Done, Quarantined, Task
from innominate.run.pipeline import Pipeline
from innominate.run.settings import Settings
from innominate.run.units import Unit

CANARY = "Zwyxelhof"
ITALIAN = (
    f"La paziente {CANARY}, nata il 18.03.1950, è stata ricoverata per dolore toracico e dispnea insorti nella notte. "
    "All'ingresso era vigile e collaborante; l'elettrocardiogramma non mostrava segni di ischemia. È stata dimessa."
)
SWEDISH = (
    "Patienten Karin Lindén inkom den 3 maj 2021 med bröstsmärta och andnöd sedan i natt. Vid ankomst vaken och klar. Skrevs "
    "ut till hemmet med antibiotika, återbesök om två veckor hos Dr Ekroth på vårdcentralen."
)


@pytest.mark.parametrize(("lang", "text"), [("auto", ITALIAN), ("fr", ITALIAN), ("fr", SWEDISH), ("es", SWEDISH)])
@pytest.mark.parametrize("action", ["detect", "deidentify"])
def test_a_note_in_another_language_is_withheld_with_a_reason_and_without_its_text(action, lang, text):
    withheld = Task(action, Settings(lang=lang))(Document("n", text))
    assert isinstance(withheld, Quarantined)
    assert "does not look like the language" in withheld.reason
    assert "--unknown-language all" in withheld.reason
    assert not any(word in withheld.reason for word in (CANARY, "Lindén", "paziente"))


def test_a_note_that_says_its_language_wrongly_is_withheld():
    assert isinstance(Task("detect", Settings())(Document("n", SWEDISH, meta={"lang": "fr"})), Quarantined)


@pytest.mark.parametrize("lang", ["auto", "sv"])
def test_a_note_in_the_language_said_goes_on(lang):
    assert isinstance(Task("detect", Settings(lang=lang))(Document("n", SWEDISH)), Done)


def test_only_the_strange_notes_of_many_are_withheld():
    task = Task("detect", Settings(lang="sv"))
    unit = Unit((Document("a", SWEDISH), Document("b", ITALIAN), Document("c", SWEDISH)))
    (seen,) = task.look_ahead([unit])
    assert [looks is None for looks in seen.looks] == [False, True, False]
    assert [type(outcome) for outcome in task.work(seen)] == [Done, Quarantined, Done]


@pytest.mark.parametrize("detector", ["combined", "rules"])
def test_all_unites_what_every_language_finds(detector):
    wrong = Pipeline(Settings(lang="fr", detector=detector, unknown_language="all")).detect(Document("n", SWEDISH))
    right = Pipeline(Settings(lang="sv", detector=detector)).detect(Document("n", SWEDISH))
    covered = {i for span in wrong.spans for i in range(span.start, span.end)}
    assert right.spans
    assert all(i in covered for span in right.spans for i in range(span.start, span.end))
    known = Pipeline(Settings(lang="fr", detector=detector)).detect(Document("n", "Vu le 3 mai.")).spans[0].label
    assert known in {span.label for span in wrong.spans}


def test_another_word_is_refused():
    with pytest.raises(UsageError, match="unknown_language 'guess' is not known; choose one of: withhold, all"):
        Settings(unknown_language="guess")
