"""Files as people submit them, made with the programs' own formats."""

from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from docx import Document as Docx
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from compliance.filings.documents.models import Document
from compliance.filings.documents.writes import ReceivedFile, file_document

if TYPE_CHECKING:
    from compliance.access.models import Party, Person
    from compliance.filings.documents.models import DocumentVersion


def pdf(folder: Path, *pages: str, name: str = "rules.pdf") -> ReceivedFile:
    path = folder / name
    canvas = Canvas(str(path))
    for text in pages:
        for number, line in enumerate(text.splitlines()):
            canvas.drawString(72, 720 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return ReceivedFile(path, name)


def pdf_of_one_long_page(folder: Path, words: int) -> ReceivedFile:
    """Return a small file whose only page repeats a word so often that reading it takes long."""
    path = folder / "long.pdf"
    canvas = Canvas(str(path), pageCompression=1)
    canvas._code.append(f"BT /F1 9 Tf {'(a) Tj ' * words} ET")
    canvas.drawString(72, 720, "end")
    canvas.showPage()
    canvas.save()
    return ReceivedFile(path, path.name)


def encrypted_pdf(folder: Path) -> ReceivedFile:
    plain = pdf(folder, "secret", name="plain.pdf")
    writer = PdfWriter(PdfReader(plain.path))
    writer.encrypt("pass", algorithm="RC4-128")
    path = folder / "locked.pdf"
    writer.write(path)
    return ReceivedFile(path, path.name)


def docx(folder: Path, *paragraphs: str, name: str = "controls.docx") -> ReceivedFile:
    document = Docx()
    for text in paragraphs:
        document.add_paragraph(text)
    path = folder / name
    document.save(str(path))
    return ReceivedFile(path, name)


def docx_with(folder: Path, body: str, name: str = "hostile.docx") -> ReceivedFile:
    """Return a Word document whose body is exactly this XML."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/document.xml", body)
    return ReceivedFile(path, name)


def docx_of_members(folder: Path, members: int) -> ReceivedFile:
    """Return a Word document with as many parts as requested."""
    path = folder / "parts.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        for number in range(members):
            packed.writestr(f"word/{number}.xml", "")
    return ReceivedFile(path, path.name)


def docx_spoiled(folder: Path, was: bytes, now: bytes) -> ReceivedFile:
    """Return a good Word document in which some bytes were replaced by as many others."""
    good = docx(folder, "Wagers are from $5 to $500. " * 50, name="good.docx")
    content = good.path.read_bytes()
    assert was in content
    return raw(folder, "spoiled.docx", content.replace(was, now, 1))


def docx_with_torn_text(folder: Path) -> ReceivedFile:
    """Return a Word document whose compressed text was damaged where only unpacking finds it."""
    good = docx(folder, "Wagers are from $5 to $500. " * 50, name="good.docx")
    content = bytearray(good.path.read_bytes())
    with zipfile.ZipFile(good.path) as packed:
        begins = packed.getinfo("word/document.xml").header_offset + 30 + len("word/document.xml")
    content[begins : begins + 40] = b"\xff" * 40
    return raw(folder, "torn.docx", bytes(content))


def raw(folder: Path, name: str, content: bytes) -> ReceivedFile:
    path = folder / name.replace("/", "_")
    path.write_bytes(content)
    return ReceivedFile(path, name)


def pdf_with_half_a_character(folder: Path) -> ReceivedFile:
    """Return a PDF whose font maps the letter A to an unpaired surrogate."""

    def stream(text: str) -> str:
        return f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"

    letters = (
        "begincmap\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
        "1 beginbfchar\n<41> <D800>\nendbfchar\nendcmap"
    )
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        stream("BT /F1 12 Tf 10 10 Td (ABC) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        stream(letters),
    ]
    text, places = "%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(f"{len(text):010d} 00000 n \n")
        text += f"{number} 0 obj\n{part}\nendobj\n"
    size = len(parts) + 1
    text += (
        f"xref\n0 {size}\n0000000000 65535 f \n{''.join(places)}"
        f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    )
    return raw(folder, "half.pdf", text.encode())


def document_of(by: Person, owner: Party, title: str) -> DocumentVersion:
    """Put a letter of one page on file."""
    with TemporaryDirectory() as folder:
        return file_document(
            owner=owner,
            kind=Document.Kind.LETTER,
            title=title,
            papers=[pdf(Path(folder), title)],
            evidence_date=date(2025, 1, 2),
            by=by,
        )
