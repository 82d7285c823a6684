"""Dropping and spoiling suggestions, and who sees what (Loftsson 2022, section 4.2)."""

from collections import Counter
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.records import Annotator, Sample
from innominate.campaign.suggestions.audiences import Fate, plan_suggestions, similar_labels, spoil_suggestions
from innominate.core import annotated

NEAR = similar_labels("chuv")
NOTE = annotated("CT au [CHUV](ORGANISATION) le [18#03#2022](DATE) à [14h30](TEMPS) chez le patient de [60 ans](ÂGE) connu")


def spoilt(note, condition, seed):
    return spoil_suggestions(note.text, note.spans, condition, similar=NEAR, rng=Random(seed))


def fates(retention, perturbation=0.0, times=2000, note=NOTE):
    condition = Condition("arm", retention=retention, perturbation=perturbation)
    return [fate for seed in range(times) for fate in spoilt(note, condition, seed)]


def test_retention_keeps_its_share():
    names = Counter(fate.name for fate in fates(0.5))
    assert abs(names["kept"] / names.total() - 0.5) < 0.02
    assert set(names) == {"kept", "dropped"}


def test_perturbation_is_category_bounds_or_both_with_equal_chances():
    alone = annotated("patient vu le [18#03#2022](DATE) à midi")  # where every bound can move
    found = Counter(fate.changed for fate in fates(1.0, 0.6, 6000, alone))
    changed = found.total() - found[""]
    assert abs(changed / found.total() - 0.6) < 0.02
    assert all(abs(found[action] / changed - 1 / 3) < 0.03 for action in ("category", "bounds", "both"))


def test_a_perturbed_category_is_similar():
    labels = {fate.shown.label for fate in fates(1.0, 1.0) if fate.suggested.label == "DATE" and fate.shown}
    assert labels == {"DATE", "TEMPS", "ÂGE"}


def test_bounds_move_by_a_word_on_either_side_or_both():
    found = Counter()
    for fate in fates(1.0, 1.0):
        if fate.suggested.label == "DATE" and fate.changed == "bounds":
            found[fate.shown.of(NOTE.text)] += 1
    assert set(found) == {"le 18#03#2022", "18#03#2022 à", "le 18#03#2022 à"}


def test_the_category_is_perturbed_if_no_bound_can_move():
    alone = annotated("[18#03#2022](DATE)")
    assert {fate.changed for fate in fates(1.0, 1.0, 200, alone)} == {"category"}


@given(st.integers(0, 10_000))
def test_shown_suggestions_never_overlap_and_the_log_can_be_read_again(seed):
    found = spoilt(NOTE, Condition("arm", retention=0.8, perturbation=0.9), seed)
    shown = [fate.shown for fate in found if fate.shown]
    assert all(one.end <= other.start for one, other in pairwise(shown))
    assert [Fate.from_dict(fate.as_dict()) for fate in found] == found


PEOPLE = [Annotator(f"a{n}", "gnocchi" if n < 2 else "farfalle") for n in range(4)]
SAMPLES = [Sample(f"n{n}#1", f"n{n}", 0, len(NOTE.text), NOTE.text) for n in range(40)]
FOUND = {sample.id: NOTE.spans for sample in SAMPLES}


def test_teams_see_what_their_condition_says():
    conditions = (Condition("half", ("gnocchi",), "1", retention=0.5), Condition("control", ("farfalle",), "1"))
    made = list(plan_suggestions(Campaign("c", "chuv", conditions=conditions), PEOPLE, SAMPLES, found=FOUND, similar=NEAR))
    by_team = {team: [one for one in made if one.audience == f"team {team}"] for team in ("gnocchi", "farfalle")}
    assert not any(one.spans for one in by_team["farfalle"])
    assert all(fate["fate"] == "dropped" for one in by_team["farfalle"] for fate in one.log["fates"])
    assert 0.35 < sum(len(one.spans) for one in by_team["gnocchi"]) / (4 * len(SAMPLES)) < 0.65


def test_conditions_without_teams_take_turns_within_everybody_and_on_every_sample():
    conditions = (Condition("all", retention=1.0), Condition("none"))
    made = list(plan_suggestions(Campaign("c", "chuv", conditions=conditions), PEOPLE, SAMPLES, found=FOUND, similar=NEAR))
    assert Counter((one.audience, one.log["condition"]) for one in made) == {
        (person.id, name): 20 for person in PEOPLE for name in ("all", "none")
    }
    assert set(Counter((one.sample, one.log["condition"]) for one in made).values()) == {2}
