"""Parts of speech: word lists and spaCy pipelines say them of our pieces, and a network learns from them."""

import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innominate.core import Document, FormatError, UsageError, annotated
from innominate.detect.neural.pieces import pieces
from innominate.detect.neural.readers.parts_of_speech import (
    LEXICON,
    TAGS,
    SpacyParts,
    align_tags,
    load_parts_of_speech,
    read_lexicon,
)

FRENCH = "vu\tVERB\npar\tADP\nblanc\tADJ\nBlanc\tPROPN\n,\tPUNCT\nXx-\tPROPN\n00-\tNUM\n0000-\tNUM\nxx-\tNOUN\nxx-ment\tADV\n"


def lexicon(folder, text=FRENCH):
    path = folder / "pos.tsv"
    path.write_bytes(text.encode())
    return path


def tagged(parts, text):
    places = pieces(text)
    (found,) = parts.tag([text], [places])
    return " ".join(f"{text[a:b]}/{TAGS[number - 1] if number else ''}" for (a, b), number in zip(places, found, strict=True))


def test_a_word_list_knows_words_then_lower_case_then_endings(tmp_path):
    known = read_lexicon(lexicon(tmp_path))
    text = "Vu par Blanc, examen blanc, lentement 1954 § Rochat"
    assert tagged(known, text) == (
        "Vu/VERB par/ADP Blanc/PROPN ,/PUNCT examen/NOUN blanc/ADJ ,/PUNCT lentement/ADV 1954/NUM §/X Rochat/PROPN"
    )
    assert tagged(known, "vu\n\nvu") == "vu/VERB \n/ \n/ vu/VERB"  # a line break is no word


def test_a_word_list_of_another_system_reads_the_same(tmp_path):
    windows = read_lexicon(lexicon(tmp_path, FRENCH.replace("\n", "\r\n") + "\r\n"))
    assert windows == read_lexicon(lexicon(tmp_path))


@pytest.mark.parametrize(("text", "line"), [("vu\tVERB\npar ADP\n", 2), ("vu\tverbe\n", 1), ("\n\tNOUN\n", 2)])
def test_what_is_wrong_with_a_word_list_is_said_with_its_line(tmp_path, text, line):
    with pytest.raises(FormatError, match=rf":{line}: a word, a tab and a universal tag .*PROPN"):
        read_lexicon(lexicon(tmp_path, text))


def test_what_is_missing_is_said_with_what_to_install(tmp_path):
    with pytest.raises(UsageError, match="FileNotFoundError"):
        load_parts_of_speech("none.tsv", tmp_path)
    with pytest.raises(UsageError, match=r"pip install 'innominate\[pos\]', then pip install --no-deps xx-none-news-sm"):
        load_parts_of_speech("xx_none_news_sm")


cuts = st.lists(st.integers(0, 30), unique=True, max_size=12).map(sorted)


@given(cuts, cuts, st.data())
def test_a_piece_has_the_tag_of_the_token_that_covers_most_of_it(mine, theirs, data):
    places = list(zip(mine[::2], mine[1::2], strict=False))
    bounds = list(zip(theirs[::2], theirs[1::2], strict=False))
    tokens = [(start, end, data.draw(st.integers(1, 17))) for start, end in bounds]
    for (start, end), tag in zip(places, align_tags(places, tokens).tolist(), strict=True):
        shared = [(len({*range(start, end)} & {*range(a, b)}), number) for a, b, number in tokens]
        most = max((length for length, _ in shared), default=0)
        assert tag in ({number for length, number in shared if length == most} if most else {0})


def test_a_spacy_pipeline_tags_our_pieces():
    spacy = pytest.importorskip("spacy", reason="needs the extra [pos]")
    language = spacy.blank("es")
    ruler = language.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "vio"}]], {"POS": "VERB"})
    ruler.add([[{"TEXT": {"REGEX": "^DR[A-Z]"}}]], {"POS": "PROPN"})
    ruler.add([[{"IS_DIGIT": True}]], {"POS": "NUM"})
    text = "La vio DRAlberto  el 12"
    assert tagged(SpacyParts(language), text) == "La/ vio/VERB DR/PROPN Alberto/PROPN el/ 12/NUM"


NONSENSE = ("blik", "dorv", "fusk", "gamp", "holt", "jirb", "kelm", "lonf")  # PROPN, the first four, and NOUN


def guarded(count, seed):
    """Notes in which only the part of speech tells names from other words, which are spelt alike."""
    rng = np.random.default_rng(seed)
    words = [[NONSENSE[index] for index in rng.integers(len(NONSENSE), size=12)] for _ in range(count)]
    marked = [" ".join(f"[{word}](NAME)," if word in NONSENSE[:4] else f"{word}," for word in row) for row in words]
    return [annotated(text, f"n{number}") for number, text in enumerate(marked)]


@pytest.fixture(scope="module")
def blind(tmp_path_factory):
    """A network that sees neither words nor characters nor shapes: nothing but parts of speech."""
    torch = pytest.importorskip("torch", reason="training needs the extra [train]")
    torch.set_num_threads(1)
    from neural_cases import SMALL

    from innominate.detect.neural.settings import of_kind
    from innominate.detect.neural.training.fit import fit

    folder = tmp_path_factory.mktemp("blind")
    path = lexicon(
        folder, "".join(f"{word}\t{'NOUN' if i > 3 else 'PROPN'}\n" for i, word in enumerate(NONSENSE)) + ",\tPUNCT\n"
    )
    senses = {"words": "0", "letters": "none", "shapes": "0", "dropout": "0", "parts": "8"}
    options = {**SMALL, **senses, "epochs": "8", "check": "8", "patience": "0", "average": "0"}
    settings = of_kind("bilstm-crf").with_options(options)
    progress = fit(settings, guarded(30, 0), guarded(8, 1), folder / "model", parts_of_speech=str(path), device="cpu")
    assert progress.best == 1
    return folder / "model"


def test_a_network_learns_from_parts_of_speech_and_is_served_from_its_folder_alone(blind, tmp_path):
    from innominate.detect.neural.detector import NeuralDetector
    from innominate.detect.neural.training.fit import make_small

    assert 'parts_of_speech = "parts_of_speech.tsv"' in (blind / "model.toml").read_text()
    moved = shutil.copytree(blind, tmp_path / "elsewhere")
    notes = guarded(8, 2)
    assert [set(found) for found in NeuralDetector(moved).detect_many(notes)] == [set(note.spans) for note in notes]
    assert make_small(moved, notes, cost=1.1) < 1.1


def test_a_model_without_its_word_list_or_pipeline_says_what_is_missing(blind, tmp_path):
    from innominate.detect.neural.detector import NeuralDetector

    alone = shutil.copytree(blind, tmp_path / "alone", ignore=shutil.ignore_patterns(LEXICON))
    with pytest.raises(UsageError, match=r"parts_of_speech\.tsv: the parts of speech cannot be read"):
        NeuralDetector(alone).detect(Document("n", "blik"))
    piped = shutil.copytree(blind, tmp_path / "piped")
    card = (piped / "model.toml").read_text()
    (piped / "model.toml").write_text(card.replace(LEXICON, "xx_none_news_sm"))
    with pytest.raises(UsageError, match=r"'xx_none_news_sm'.*pip install"):
        NeuralDetector(piped).detect(Document("n", "blik"))


def test_a_pipeline_that_says_nothing_teaches_nothing():
    pytest.importorskip("torch", reason="training needs the extra [train]")
    from innominate.detect.neural.tagset import Tagset
    from innominate.detect.neural.training.lessons import make_lesson
    from innominate.detect.neural.training.readers import with_parts
    from innominate.detect.neural.vocabulary import Vocabulary

    class Silent:
        def tag(self, texts, places):
            return [np.zeros(len(each), np.int32) for each in places]

    notes = [annotated("Vu par [Blanc](DOCTOR)", "a")]
    lessons = [make_lesson(notes[0], Vocabulary.of([["Vu"]]), Tagset(("DOCTOR",)))]
    with pytest.raises(UsageError, match="have a tagger"):
        with_parts(lessons, notes, Silent())


def test_a_word_list_made_from_text_says_what_was_said_most_often(tmp_path):
    from pos_lexicon import counted
    from pos_lexicon import lexicon as made_from

    source = read_lexicon(lexicon(tmp_path))
    names = " ".join(f"{first}{rest}" for first in "BDFGL" for rest in ("audez", "onez"))
    text = f"Vu par Blanc. Vu blanc, blanc, blanc par Roux {names} lentement. 12 99"
    made = made_from(counted([Document("n", text)], source))
    assert tagged(made, "vu blanc Blanc Roux") == "vu/VERB blanc/ADJ Blanc/ADJ Roux/PROPN"  # Blanc is seen once as a name
    assert "Roux" not in made.words  # seen once: left to the endings
    assert made.rules["Xx-"] == "PROPN"
    assert tagged(made, "Solez 07") == "Solez/PROPN 07/NUM"
    twice = made_from(counted([Document("n", text), Document("m", "Vu par Blanc")], source))
    assert twice.words["Blanc"] == "PROPN"
