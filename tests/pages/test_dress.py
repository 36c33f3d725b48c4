"""The same pages in other styles: in print, with the small style sheet, in larger letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pypdfium2
import pytest

from compliance.ui.assets.build import PDF_FACES, STYLES
from tests.pages.addresses import PAGES

if TYPE_CHECKING:
    from tests.installation import Installation
    from tests.pages.looking import Look

OPEN = {name: shown.path for name, shown in PAGES.items() if not shown.role}
FACES = "() => [...document.fonts].filter(face => face.status === 'loaded').map(f => f.family)"


@pytest.mark.parametrize("name", ["home", "status", "gallery: form", "gallery: table"])
def test_with_the_small_stylesheet_a_page_is_as_accessible(look: Look, name: str) -> None:
    look.page.route(
        "**/static/site.*.css",
        lambda route: route.fulfill(path=STYLES / "small.css", content_type="text/css"),
    )
    look.goto(OPEN[name])
    look.check_page()


def test_the_faces_that_pdfs_embed_were_built(running: Installation) -> None:
    built = {face.name for face in (running.var / "assets" / "fonts").iterdir()}
    assert built == {name.rsplit("/", 1)[1] for name in PDF_FACES}


def test_pages_are_set_in_the_faces_that_were_built(look: Look) -> None:
    look.goto("/gallery/parts")
    look.page.wait_for_function("document.fonts.status === 'loaded'")
    assert {"Public Sans Web", "Roboto Mono Web"} <= set(look.page.evaluate(FACES))


@pytest.mark.parametrize("name", ["home", "status", "gallery: form"])
def test_in_letters_twice_as_large_nothing_is_cut_off(look: Look, name: str) -> None:
    # WCAG 1.4.4 and 1.4.10: 200 % on a screen of 1280 is a screen of 640.
    look.goto(OPEN[name], width={"width": 640, "height": 512})
    assert look.wider_than_the_screen() == 0
    look.page.set_viewport_size({"width": 320, "height": 640})
    assert look.wider_than_the_screen() == 0


@pytest.mark.parametrize("name", ["status", "gallery: table", "gallery: parts"])
def test_printed_page_leaves_out_controls(look: Look, name: str) -> None:
    look.goto(OPEN[name])
    document = pypdfium2.PdfDocument(look.page.pdf(format="Letter"))
    text = " ".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    assert look.page.locator("h1").inner_text() in text
    assert "Gambling Commission" in text
    for clicked in ("Skip to the content", "Check again", "Overview", "Sign in"):
        assert clicked not in text
