import shutil
from pathlib import Path

import pytest

from innominate.conceal import conceal
from innominate.conceal.strategies.by_class import ByClass
from innominate.core import annotated
from innominate.report.preview import render_preview
from innominate.report.terminal import colour_spans, escape_controls

NOTE = annotated("Vu <script>document.title='hacked'</script> par [Rochat](DOCTOR) le [3 mai](DATE)\n[x](<b>)", id="n<1>")


def page():
    return render_preview([(NOTE, conceal(NOTE, ByClass()).document)], "Two notes")


def test_the_page_fetches_nothing_and_escapes_everything():
    html = page()
    assert "http" not in html.replace("http-equiv", "")
    assert "<script>document.title" not in html
    assert "n&lt;1&gt;" in html


@pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not installed")
def test_the_page_in_a_real_browser(tmp_path):
    from playwright.sync_api import sync_playwright

    (tmp_path / "page.html").write_text(page(), encoding="utf-8")
    with sync_playwright() as playwright:
        arguments = [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        tab = browser.new_page()
        tab.goto(Path(tmp_path / "page.html").as_uri())
        assert tab.title() == "Two notes"
        assert "document.title='hacked'" in tab.locator("pre").first.inner_text()
        name = tab.locator("mark[data-label=DOCTOR]").first
        assert name.inner_text() == "RochatDOCTOR"
        tab.get_by_role("button", name="DOCTOR").click()
        assert "off" in (name.get_attribute("class") or "")
        browser.close()


def test_a_note_cannot_send_commands_to_the_terminal():
    assert "\x1b" not in escape_controls("\x1b[31mred")
    assert "\x07" not in colour_spans(annotated("bell \x07 [x\x1b](DATE)")).plain
