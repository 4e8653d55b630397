"""How many threads are parted into posts, and are their authors right? Beside what pages say of posts for machines.

    python -m bench.posts PAGES.jsonl.zst --site wcxb-forum

The data is that of `read.py`. Pages whose JSON-LD names several authors list those of all posts: there every name that
was found is compared. Others name the first author alone, and are only counted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.dates import document_alone
from bench.read_examples import pages_in

SEVERAL = 2


def authors_in(value: object) -> Iterator[str]:
    """The names of all authors in a piece of JSON-LD."""
    if isinstance(value, dict):
        said = value.get("author")
        for author in said if isinstance(said, list) else [said]:
            name = author.get("name") if isinstance(author, dict) else author
            if isinstance(name, str):
                yield name.strip().lower()
        for part in value.values():
            yield from authors_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from authors_in(part)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--site", required=True, help="of the pages that are threads")
    options = parser.parse_args()
    documents = [document_alone(page) for page in pages_in(options.data) if page["site"] == options.site]
    threads = [document for document in documents if document.kind == "thread"]
    parted = [document for document in threads if document.posts]
    posts = [post for document in parted for post in document.posts]
    print(f"{len(documents)} pages, {len(threads)} threads, {len(parted)} parted into {len(posts)} posts")
    print(
        f"with an author {sum(bool(post.author) for post in posts)}, with a day {sum(bool(p.published) for p in posts)}"
    )
    compared = [(document, set(authors_in(document.facts.get("json-ld")))) for document in parted]
    full = [(document, names) for document, names in compared if len(names) >= SEVERAL]
    found = [post.author.lower() in names for document, names in full for post in document.posts if post.author]
    print(f"{len(full)} pages name their authors for machines: {sum(found)} of {len(found)} names are among them")


if __name__ == "__main__":
    main()
