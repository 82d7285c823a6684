"""The campaign file: what it may say, and what it is told when it says something else."""

from pathlib import Path

import pytest

from innominate.campaign.planning.config import Campaign, Condition, campaign_from
from innominate.campaign.planning.plan import read_plan
from innominate.campaign.records import Annotator
from innominate.core import UsageError

EXAMPLE = Path(__file__).parents[3] / "examples" / "campaign" / "contest.toml"


def test_the_example():
    plan = read_plan(EXAMPLE)
    assert plan.campaign.conditions == (
        Condition("half", ("gnocchi",), "1", retention=0.5),
        Condition("control", ("farfalle",), "1"),
    )
    assert plan.annotators[2] == Annotator("whatever", "farfalle", "Chloé Blanc", "chloe@hospital.example", 20)
    assert plan.guidelines.startswith("# Guidelines")
    assert [Path(source).exists() for source in (*plan.work.notes, *plan.training.notes)] == [True, True]


def test_a_campaign_survives_the_store():
    campaign = read_plan(EXAMPLE).campaign
    assert campaign_from(campaign.as_json()) == campaign


def test_the_registration_may_stand_in_the_file_or_in_a_sheet_of_any_spreadsheet(tmp_path):
    (tmp_path / "sheet.csv").write_text("id;team;also\nÉva_1;A;3;eva@x\nola;B;\n".replace("3;eva@x", '"3;eva@x"'), "utf-8-sig")
    (tmp_path / "c.toml").write_text(
        'name="c"\ntaxonomy="chuv"\nregistration="sheet.csv"\n[[annotators]]\nid="zoe"\nteam="B"\ngoal=7\nalso=["9"]\n'
    )
    people = read_plan(tmp_path / "c.toml").annotators
    assert people == (
        Annotator("Éva_1", "A", also=("3", "eva@x")),
        Annotator("ola", "B"),
        Annotator("zoe", "B", goal=7, also=("9",)),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "at least a name"),
        ('name="c"\ntaxonomy="nhs"', "chuv"),
        ('name="c"\ntaxonomy="chuv"\ngaol=3', "unknown setting gaol"),
        ('name="c"\ntaxonomy="chuv"\nshuffle="never"', "annotator, team, group"),
        ('name="c"\ntaxonomy="chuv"\ncleaners=["soap"]', "soap"),
        ('name="c"\ntaxonomy="chuv"\nmost_characters=5', "most_characters"),
        ('name="c"\ntaxonomy="chuv"\nlease_minutes=0', "lease_minutes"),
        ('name=" "\ntaxonomy="chuv"', "name"),
        ('name="c"\ntaxonomy="chuv"\ngoal=-1', "negative"),
        ('name="c"\ntaxonomy="chuv"\n[[conditions]]\nname="x"\nretention=1.5', "probability"),
        ('name="c"\ntaxonomy="chuv"\n[[conditions]]\nname="x"\nretentoin=1', "may have"),
        (
            'name="c"\ntaxonomy="chuv"\n[[conditions]]\nname="x"\nteams=["A"]\n[[annotators]]\nid="e"\nteam="B"',
            "without annotators: A",
        ),
        (
            'name="c"\ntaxonomy="chuv"\n[[conditions]]\nname="x"\nteams=["A"]\n[[conditions]]\nname="y"\nteams=["A"]',
            "two conditions",
        ),
        ('name="c"\ntaxonomy="chuv"\n[[annotators]]\nid="e"\nteam="B"\n[[annotators]]\nid="e"\nteam="B"', "twice"),
        ('name="c"\ntaxonomy="chuv"\n[[annotators]]\nid="../e"\nteam="B"', "id '../e'"),
        ('name="c"\ntaxonomy="chuv"\n[[annotators]]\nid="e"', "team"),
        ('name="c"\ntaxonomy="chuv"\n[[annotators]]\nid="e"\nteam="B"\ngoal="many"', "number of tasks"),
        ('name="c"\ntaxonomy="chuv"\n[[annotators]]\nid="e"\nteam="B"\nmail="x"', "unknown mail"),
        ('name="c"\ntaxonomy="chuv"\nguidelines="nowhere.md"', "nowhere.md"),
        ('name="c"\ntaxonomy="chuv"\nregistration="nowhere.csv"', "nowhere.csv"),
        ('name="c"\ntaxonomy="chuv"\n[training]\nnote="x"', "training"),
        ("name=", "Invalid value"),
    ],
)
def test_what_is_wrong_is_named(text, says, tmp_path):
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(UsageError, match=says):
        read_plan(tmp_path / "c.toml")


def test_who_shares_an_order():
    conditions = (Condition("x", ("A",), "1"), Condition("y", ("B",), "1"), Condition("z", ("C",)))
    eva, ola, zoe = Annotator("eva", "A"), Annotator("ola", "B"), Annotator("zoe", "C")

    def keys(shuffle):
        campaign = Campaign("c", "chuv", shuffle=shuffle, conditions=conditions)
        return [campaign.order_key(person) for person in (eva, ola, zoe)]

    assert len(set(keys("annotator"))) == len(set(keys("team"))) == 3
    assert keys("group")[0] == keys("group")[1] != keys("group")[2]
