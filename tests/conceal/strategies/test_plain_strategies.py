import pytest
from conceal_cases import KEY
from hypothesis import given
from hypothesis import strategies as st

from innominate.conceal import conceal
from innominate.core import Document, Span, annotated
from innominate.core.plugins import available, load

NAMES = sorted(available("concealers"))


@pytest.mark.parametrize(("name", "text"), [("class", "<First_Name> slept on <Date_Part>."), ("mask", "XXXX slept on XXXX.")])
def test_the_example_of_the_strategy(name, text):
    concealed = conceal(annotated("[Eva](First_Name) slept on [Monday](Date_Part)."), load("concealers", name))
    assert concealed.document.text == text


documents = st.text(alphabet="abc é🙂\n", min_size=1, max_size=40).flatmap(
    lambda text: st.lists(
        st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9), st.sampled_from(["AGE", "DATE"])), max_size=5
    ).map(lambda found: Document("n", text, [Span(s, min(s + n, len(text)), label) for s, n, label in found]))
)


@pytest.mark.parametrize("name", NAMES)
@given(document=documents)
def test_text_outside_spans_stays_and_spans_lie_on_their_replacements(name, document):
    concealed = conceal(document, load("concealers", name, **({"key": KEY} if name == "pseudo" else {})))
    if name == "remove":
        return  # takes whole sentences; test_policy looks at it
    covered = {position for span in document.spans for position in range(span.start, span.end)}
    outside = "".join(c for i, c in enumerate(document.text) if i not in covered)
    hidden = {position for span in concealed.document.spans for position in range(span.start, span.end)}
    assert "".join(c for i, c in enumerate(concealed.document.text) if i not in hidden) == outside
