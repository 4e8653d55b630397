"""Writes small PDFs: lines of Helvetica in two sizes, and what the file says of itself."""

from __future__ import annotations

from collections.abc import Sequence


def pdf_of(pages: Sequence[Sequence[tuple[int, str]]], **facts: str) -> bytes:
    """A PDF with these pages, each of lines with their size."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    info = "".join(f"/{name} ({value})" for name, value in facts.items())
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {count}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, lines in enumerate(pages):
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {5 + 2 * number} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>"
        )
        stream = _content(lines)
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
    objects.append(f"<<{info}>>")
    return _file(objects)


def _content(lines: Sequence[tuple[int, str]]) -> str:
    at, parts = 780.0, []
    for size, text in lines:
        if text:
            parts.append(f"BT /F1 {size} Tf 60 {at:.1f} Td ({text}) Tj ET")
        at -= size * 1.25
    return "\n".join(parts)


def _file(objects: Sequence[str]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(data)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return (
        data
        + f"trailer<</Size {len(objects) + 1}/Root 1 0 R/Info {len(objects)} 0 R>>\nstartxref\n{start}\n%%EOF".encode()
    )
