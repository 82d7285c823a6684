"""The tests of tables 4.3 and 4.4, and the mixed model against known results."""

import json
from pathlib import Path

import pytest

from innominate.campaign.analysis.analysis import analyse
from innominate.campaign.experiment.comparison import compare_conditions, pair_scores
from innominate.campaign.experiment.mixed import fit_random_intercept
from innominate.campaign.planning.config import Campaign, Condition
from innominate.campaign.records import Annotator, Answer, Sample
from innominate.campaign.store import Suggestion
from innominate.core import UsageError, annotated
from innominate.evaluate.stats import student

# Davies and Goldsmith 1972: yield of dyestuff in grams, five preparations from each of six batches
DYESTUFF = {
    "A": [1545, 1440, 1440, 1520, 1580],
    "B": [1540, 1555, 1490, 1560, 1495],
    "C": [1595, 1550, 1605, 1510, 1560],
    "D": [1445, 1440, 1595, 1465, 1545],
    "E": [1595, 1630, 1515, 1635, 1625],
    "F": [1520, 1455, 1450, 1480, 1445],
}


def test_dyestuff_as_lme4_has_it():
    groups = [batch for batch, values in DYESTUFF.items() for _ in values]
    fitted = fit_random_intercept({}, [value for values in DYESTUFF.values() for value in values], groups)
    assert fitted.effects["intercept"].difference == pytest.approx(1527.5)
    assert fitted.effects["intercept"].error == pytest.approx(19.38, abs=0.005)
    assert fitted.between == pytest.approx(1764.05, abs=0.01)
    assert fitted.within == pytest.approx(2451.25, abs=0.01)
    assert fitted.criterion == pytest.approx(319.6543, abs=1e-4)


def test_an_unbalanced_model_as_statsmodels_has_it():
    known = json.loads((Path(__file__).parent / "mixed_statsmodels.json").read_text(encoding="utf-8"))
    columns = {"suggested": known["suggested"], "length": known["length"]}
    fitted = fit_random_intercept(columns, known["y"], known["annotator"])
    assert [one.difference for one in fitted.effects.values()] == pytest.approx(known["beta"], abs=1e-5)
    assert [one.error for one in fitted.effects.values()] == pytest.approx(known["error"], rel=0.01)
    assert fitted.between == pytest.approx(known["between"], rel=1e-3)
    assert fitted.within == pytest.approx(known["within"], rel=1e-4)
    assert fitted.criterion == pytest.approx(known["criterion"], abs=1e-6)


def test_degrees_of_freedom_are_those_of_people_where_whole_people_differ():
    rows = [(who, who in "ab", value) for who in "abcd" for value in (1.0, 2.0, 4.0)]
    between = fit_random_intercept(
        {"x": [float(x) for _, x, _ in rows]}, [y + (w == "a") for w, _, y in rows], [w for w, *_ in rows]
    )
    assert between.effects["x"].df == 2
    with pytest.raises(UsageError):
        fit_random_intercept({"x": [1.0] * 12}, [y for *_, y in rows], [w for w, *_ in rows])


def test_alignments_are_taken_by_the_numbers_of_their_annotators():
    first = {1: [0, 1], 2: [1, 1, 1], 3: [1], 4: [0, 0, 1, 1]}
    second = {1: [0, 0], 2: [0, 0, 0], 3: [0], 4: [1, 1], 5: [1, 1]}
    assert pair_scores(first, second, "even") == [[0.5, 0.5], [0.0, 1.0]]
    assert pair_scores(first, second, "equal") == [[0.5, 1.0], [0.0, 0.0]]
    assert len(pair_scores(first, second, "any")[0]) == 4


TRUE = annotated("vu le [3 mai](DATE) à [Nyon](EMPLACEMENT_GÉOGRAPHIQUE)")
WRONG = annotated("vu le [3 mai](DATE) à [Nyon](PAYS)")


def contest():
    """Two teams of two. The one with suggestions is faster, and one of the other team misses the place."""
    people = [Annotator("e1", "exp"), Annotator("e2", "exp"), Annotator("c1", "con"), Annotator("c2", "con")]
    samples = [Sample(f"n{n}#1", f"n{n}", 0, len(TRUE.text), TRUE.text) for n in range(6)]
    answers = []
    for n, sample in enumerate(samples):
        for person in people:
            pace = 5 + n % 2 if person.team == "exp" else 9 + n % 3
            spans = TRUE.spans[:1] if person.id == "c2" and n % 2 else TRUE.spans
            answers.append(Answer(f"{person.id}/{n}", sample.id, person.id, spans, at=1000 + (n * pace)))
    conditions = (Condition("control", ("con",), "1"), Condition("half", ("exp",), "1", retention=0.5, perturbation=0.0))
    log = {"condition": "half", "fates": [{"suggested": [6, 11, "DATE"], "fate": "kept"}]}
    log["fates"].append({"suggested": [14, 18, "EMPLACEMENT_GÉOGRAPHIQUE"], "fate": "dropped"})
    nothing = {"condition": "control", "fates": [{**one, "fate": "dropped"} for one in log["fates"]]}
    given = [Suggestion(one.id, "team exp", TRUE.spans[:1], log) for one in samples]
    given += [Suggestion(one.id, "team con", (), nothing) for one in samples]
    return analyse(samples, people, answers), Campaign("c", "chuv", conditions=conditions), given


def test_the_tables_of_an_experiment():
    analysis, campaign, given = contest()
    found = compare_conditions(analysis, campaign, given)["groups"]["1"]
    assert found["control"] == "control"
    test = found["tests"]["half"]["duration"]
    assert test["tail"] == "p_less"
    seconds = {"exp": [], "con": []}
    for task in analysis.tasks.tasks:
        if task.seconds is not None:
            seconds["exp" if task.answer.annotator[0] == "e" else "con"].append(task.seconds)
    assert test["p"] == pytest.approx(student(seconds["exp"], seconds["con"]).p_less)
    # c2 missed the place in three of six samples: of the control's penalties on twelve alignments, by two people, 3 of 24
    assert found["conditions"]["control"]["segment"] == pytest.approx(3 / 24)
    assert found["conditions"]["half"]["segment"] == 0
    assert found["tests"]["half"]["segment"]["n"] == [12, 12]
    assert found["tests"]["half"]["segment"]["means"] == [0, pytest.approx(0.125)]
    assert found["models"]["duration"]["effects"]["half"]["estimate"] < 0


def test_what_became_of_suggestions():
    analysis, campaign, given = contest()
    found = compare_conditions(analysis, campaign, given)["groups"]["1"]["conditions"]
    assert (found["control"]["outcomes"]["missed"]["k"], found["control"]["outcomes"]["missed"]["n"]) == (3, 24)
    assert (found["half"]["outcomes"]["missed"]["k"], found["half"]["outcomes"]["missed"]["n"]) == (0, 12)
    assert found["half"]["outcomes"]["right kept"]["rate"] == 1.0


def test_a_spoilt_suggestion_in_the_reference_is_listed():
    analysis, campaign, _ = contest()
    spoilt = {
        "suggested": [14, 18, "EMPLACEMENT_GÉOGRAPHIQUE"],
        "shown": [14, 18, "PAYS"],
        "fate": "perturbed",
        "changed": "category",
    }
    given = [Suggestion("n0#1", "team exp", WRONG.spans, {"condition": "half", "fates": [spoilt]})]
    assert compare_conditions(analysis, campaign, given)["injected"] == []
    sample = analysis.samples["n0#1"]
    followed = [Answer(f"{who}", "n0#1", who, WRONG.spans, at=1) for who in ("e1", "e2", "c1")]
    misled = analyse([sample], analysis.annotators.values(), followed)
    assert compare_conditions(misled, campaign, given)["injected"] == [["n0#1", 14, 18, "PAYS"]]


def test_without_conditions_there_is_no_experiment():
    analysis, _, given = contest()
    with pytest.raises(UsageError, match="conditions"):
        compare_conditions(analysis, Campaign("c", "chuv"), given)
