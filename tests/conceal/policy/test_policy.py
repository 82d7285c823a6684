import pytest
from conceal_cases import KEY

from innominate.conceal import conceal
from innominate.conceal.policy.concealer import ByPolicy
from innominate.conceal.policy.explain import explain_policy
from innominate.conceal.policy.policy import Policy, load_policy, policy_names
from innominate.core import Document, Span, UsageError, annotated
from innominate.labels import for_language


def done(marked, chosen, lang):
    return conceal(annotated(marked), ByPolicy(chosen, KEY, lang=lang)).document.text


def test_hipaa_keeps_years_states_and_three_digits():
    text = done(
        "[Eva Holm](PATIENT), [45](AGE), [97](AGE), [12 Oak St](STREET), [Boston](CITY), [MA](STATE) [02139](ZIP) "
        "[03601](ZIP), [3/18/2022](DATE), [Monday](DATE), [teacher](PROFESSION)",
        load_policy("hipaa-safe-harbor"),
        "en",
    )
    assert text == "<PATIENT>, 45, 90+, <STREET>, <CITY>, MA 021 000, 2022, <DATE>, teacher"


def test_a_year_of_birth_that_tells_an_age_over_89_goes():
    text = done("born [3/18/1921](DATE), seen [3/18/2022](DATE)", load_policy("hipaa-safe-harbor"), "en")
    assert text == "born <DATE>, seen 2022"


def test_a_year_alone_stays_where_years_stay():
    assert (
        done("seen [3/18/2022](DATE), since [2022](DATE)", load_policy("hipaa-safe-harbor"), "en") == "seen 2022, since 2022"
    )


def test_swiss_research_keeps_the_canton():
    text = done(
        "[Lausanne](EMPLACEMENT_GÉOGRAPHIQUE) [1004](CODE_POSTAL) [VD](CODE_CANTON) [021 314 11 11](TÉLÉPHONE)",
        load_policy("swiss-research"),
        "fr",
    )
    assert text == "VD 1xxx VD <TÉLÉPHONE>"


def test_what_a_policy_keeps_has_to_be_what_it_says_unless_the_label_itself_is_named():
    assert done("[Holm](COUNTRY) [France](COUNTRY)", load_policy("hipaa-safe-harbor"), "en") == "<COUNTRY> France"
    assert done("[Holm](COUNTRY)", Policy("p", strategy="class", labels={"COUNTRY": "keep"}), "en") == "Holm"


def test_remove_takes_whole_sentences_and_counts_them():
    document = annotated("Dr. [Holm](DOCTOR) called. No fever. Seen on [Monday](DATE).")
    concealed = conceal(document, ByPolicy(load_policy("remove"), lang="en"))
    assert concealed.document.text == "No fever. "
    assert len(concealed.removed) == 2
    assert concealed.counts() == {"remove": 2}
    assert [treated.target for treated in concealed.treated] == [None, None]


def test_labels_win_over_categories_over_kinds_over_groups_over_the_rest():
    chosen = Policy(
        "p",
        strategy="mask",
        kinds={"names": "class", "person": "remove"},
        categories={"NAME": "keep"},
        labels={"DOCTOR": "mask"},
    )
    assert [chosen.of(label) for label in ("DOCTOR", "PATIENT", "PATIENT_E", "First_Name", "ZIP")] == [
        "mask",
        "keep",
        "remove",
        "class",
        "mask",
    ]


def test_thresholds_leave_out_what_is_not_sure_enough():
    chosen = Policy("p", strategy="mask", thresholds={"default": 0.2, "PATIENT": 0.5})
    spans = (Span(0, 1, "PATIENT", 0.4), Span(1, 2, "PATIENT", 0.6), Span(2, 3, "DATE", 0.3), Span(3, 4, "DATE", 0.1))
    assert [span.start for span in chosen.select(Document("n", "abcd", spans)).spans] == [1, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[labels]\nPATEINT = "class"', r"mine\.toml.*\[labels\] names 'PATEINT'"),
        ('[labels]\nPATIENT = "blur"', r"mine\.toml.*\[labels\] PATIENT is 'blur'"),
        ('[kinds]\nperson = "year"', r"mine\.toml.*'year' is for date only"),
        ('[categories]\nNAMES = "class"', r"mine\.toml.*\[categories\] names 'NAMES'"),
        ("[thresholds]\nPATIENT = 2", r"mine\.toml.*\[thresholds\] PATIENT is 2"),
        ('strategy = "hide"', r"mine\.toml.*strategy is 'hide'"),
        ('ages_over_89 = "x"', r"mine\.toml.*ages_over_89"),
        ('stragety = "class"', r"mine\.toml.*unknown key stragety"),
        ("labels = 3", r"mine\.toml.*section"),
        ("labels = ", r"mine\.toml.*not TOML"),
    ],
)
def test_a_wrong_policy_names_the_file_and_the_key(tmp_path, content, message):
    path = tmp_path / "mine.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        load_policy(str(path))


def test_a_policy_that_is_not_there():
    with pytest.raises(UsageError, match="no policy is called 'gdpr'"):
        load_policy("gdpr")
    with pytest.raises(UsageError, match="cannot read the policy"):
        load_policy("none.toml")


def test_a_policy_with_pseudonyms_needs_a_key_and_others_do_not():
    with pytest.raises(UsageError, match="keys new"):
        ByPolicy(load_policy("i2b2"))
    assert ByPolicy(load_policy("class")).policy.name == "class"


@pytest.mark.parametrize("name", policy_names())
@pytest.mark.parametrize("lang", ["en", "fr", "sv", "es"])
def test_every_label_is_explained_with_an_example(name, lang):
    explained = explain_policy(load_policy(name), lang)
    assert {label for one in explained for label in one.labels} == set(for_language(lang).labels)
    assert all(one.words and one.before and one.after for one in explained)


def test_other_annotations_are_carried_into_the_concealed_text():
    document = annotated("[Eva Holm](PATIENT) has asthma. Seen by [Dr Lee](DOCTOR).")
    entity = Span(document.text.index("asthma"), document.text.index("asthma") + 6, "DISEASE")
    concealed = conceal(document, ByPolicy(load_policy("pseudo"), KEY, lang="en"))
    (moved,) = concealed.project([entity])
    assert moved.of(concealed.document.text) == "asthma"
