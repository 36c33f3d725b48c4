"""What makes a tagged PDF one for archives and for everyone: PDF/A-3a and PDF/UA-1.

ISO 19005-3 and ISO 14289-1 ask for metadata that state the conformance, a color profile, embedded
fonts, and the source data as an associated file. Nothing here depends on a clock.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from reports.rendering.tagging import PlainObject, pdf_text, reference_to

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

DATA = "data.json"
"""The name of the attached data, from which the body is made."""
MORE = ("AF", "OutputIntents", "Names", "Metadata")
"""Entries of the catalog that ReportLab does not write by itself."""


def declare(document: Any, *, made: datetime, info: Mapping[str, str], data: bytes) -> None:
    """Add metadata, the color profile and the data to a document that is about to be saved."""
    catalog = document.Catalog
    catalog.__NoDefault__ = [*dict.fromkeys((*catalog.__NoDefault__, *MORE))]
    catalog.__Refs__ = [*dict.fromkeys((*catalog.__Refs__, *MORE))]
    written = _metadata(made, info).encode()
    catalog.Metadata = _stream(b"/Type /Metadata /Subtype /XML", written)
    profile = _stream(b"/N 3 /Filter /FlateDecode", zlib.compress(srgb_profile(), 9))
    catalog.OutputIntents = PlainObject(
        b"[<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) "
        b"/Info (sRGB IEC61966-2.1) /DestOutputProfile %s >>]" % reference_to(document, profile)
    )
    if not data:
        return
    digest = hashlib.md5(data, usedforsecurity=False).hexdigest().encode()
    file = _stream(
        b"/Type /EmbeddedFile /Subtype /application#2Fjson /Filter /FlateDecode "
        b"/Params << /Size %d /ModDate (%s) /CheckSum <%s> >>"
        % (len(data), f"D:{made:%Y%m%d%H%M%S}Z".encode(), digest),
        zlib.compress(data, 9),
    )
    embedded = reference_to(document, file)
    specification = PlainObject(
        b"<< /Type /Filespec /F (%s) /UF %s /Desc %s /AFRelationship /Source "
        b"/EF << /F %s /UF %s >> >>"
        % (DATA.encode(), pdf_text(DATA), pdf_text("The data of this report"), embedded, embedded)
    )
    found = reference_to(document, specification)
    catalog.AF = PlainObject(b"[%s]" % found)
    files = PlainObject(b"<< /Names [(%s) %s] >>" % (DATA.encode(), found))
    catalog.Names = PlainObject(b"<< /EmbeddedFiles %s >>" % reference_to(document, files))


def _stream(head: bytes, content: bytes) -> PlainObject:
    return PlainObject(
        b"<< %s /Length %d >>\nstream\n%s\nendstream" % (head, len(content), content)
    )


def _metadata(made: datetime, info: Mapping[str, str]) -> str:
    """Return the XMP packet; it repeats the document information, as PDF/A requires."""
    text = {name: escape(value) for name, value in info.items()}
    at = f"{made:%Y-%m-%dT%H:%M:%S}Z"
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance><pdfuaid:part>1</pdfuaid:part>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{text["title"]}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{text["author"]}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{text["subject"]}</rdf:li></rdf:Alt>
</dc:description>
<dc:language><rdf:Bag><rdf:li>{text["language"]}</rdf:li></rdf:Bag></dc:language>
<pdf:Keywords>{text["keywords"]}</pdf:Keywords><pdf:Producer>{text["producer"]}</pdf:Producer>
<xmp:CreatorTool>{text["creator"]}</xmp:CreatorTool>
<xmp:CreateDate>{at}</xmp:CreateDate><xmp:ModifyDate>{at}</xmp:ModifyDate>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


GAMMA = round(2.2 * 256)
WHITE = (0.9642, 1.0, 0.8249)
"""D50, the white of a profile's connection space."""
PRIMARIES = ((0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7139))
"""sRGB's red, green and blue, adapted to D50 (IEC 61966-2-1)."""


@cache
def srgb_profile() -> bytes:
    """Return a version 2 ICC profile of sRGB with a gamma of 2.2: a display's, without a date."""
    named = b"sRGB\0"
    tags = [
        (b"desc", b"desc\0\0\0\0" + struct.pack(">I", len(named)) + named + bytes(78)),
        (b"cprt", b"text\0\0\0\0No copyright\0"),
        (b"wtpt", _xyz(WHITE)),
        *(
            (name, _xyz(xyz))
            for name, xyz in zip((b"rXYZ", b"gXYZ", b"bXYZ"), PRIMARIES, strict=True)
        ),
        *(
            (name, b"curv\0\0\0\0" + struct.pack(">IH", 1, GAMMA))
            for name in (b"rTRC", b"gTRC", b"bTRC")
        ),
    ]
    place = 128 + 4 + 12 * len(tags)
    table, contents = b"", b""
    for name, content in tags:
        table += name + struct.pack(">II", place + len(contents), len(content))
        contents += content + bytes(-len(content) % 4)
    size = place + len(contents)
    head = struct.pack(
        ">I4s4s4s4s4s6H4s4sI4s4sQI12s4s44s",
        size, b"\0\0\0\0", b"\x02\x10\0\0", b"mntr", b"RGB ", b"XYZ ", 2000, 1, 1, 0, 0, 0,
        b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", 0, 0, _numbers(WHITE), b"\0\0\0\0",
        bytes(44),
    )  # fmt: skip
    return head + struct.pack(">I", len(tags)) + table + contents


def _xyz(values: tuple[float, float, float]) -> bytes:
    return b"XYZ \0\0\0\0" + _numbers(values)


def _numbers(values: tuple[float, float, float]) -> bytes:
    return struct.pack(">3i", *(round(each * 65536) for each in values))
