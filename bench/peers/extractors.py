"""The texts of pages by other extractors.   python extractors.py NAME < {"html"} lines > {"text"} lines"""

# mypy: ignore-errors
from __future__ import annotations

import json
import re
import sys
import time

BLOCK = re.compile(r"</?(?:p|div|li|h[1-6]|td|tr|br|section|article|blockquote|pre)\b[^>]*>", re.IGNORECASE)
TAG = re.compile(r"<[^>]+>")


def by_trafilatura():
    import trafilatura

    return lambda html: trafilatura.extract(html, include_comments=False) or ""


def by_resiliparse():
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: extract_plain_text(html, main_content=True, alt_texts=False)


def by_readability():
    import html as entities

    from readability import Document

    def extract(html):
        summary = Document(html).summary(html_partial=True)
        return entities.unescape(TAG.sub("", BLOCK.sub("\n", summary)))

    return extract


EXTRACTORS = {
    "trafilatura": by_trafilatura,
    "Resiliparse": by_resiliparse,
    "readability": by_readability,
}


def main():
    """Read pages, write texts; the last line is the CPU seconds."""
    extract = EXTRACTORS[sys.argv[1]]()
    spent = 0.0
    for line in sys.stdin:
        html = json.loads(line)["html"]
        began = time.process_time()
        try:
            text = extract(html)
        except Exception:  # noqa: BLE001 - some give up on some pages in ways of their own: no text
            text = ""
        spent += time.process_time() - began
        print(json.dumps({"text": text}, ensure_ascii=False))
    print(json.dumps({"seconds": spent}))


main()
