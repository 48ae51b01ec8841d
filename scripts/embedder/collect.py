"""Unpacked documentation packages, package descriptions and WordNet -> sections, one JSON a line."""

import argparse
import collections
import json
import random
import re
from multiprocessing import Pool
from pathlib import Path

from lxml import html

SKIPPED_FILES = re.compile(
    r"/(src|genindex|search|py-modindex|_modules|_sources|_static|print|implementors|source)[/.\-]"
    r"|/index-|-members\.html|changelog|release-?notes",
    re.I,
)
SKIPPED_TAGS = {
    "script",
    "style",
    "nav",
    "header",
    "footer",
    "aside",
    "noscript",
    "svg",
    "button",
    "form",
    "head",
}
SKIPPED_NAMES = re.compile(
    r"sphinxsidebar|related|navbar|sidebar|breadcrumb|headerlink|toctree|footer|navheader|menu|linenos"
    r"|copyright|local ?toc|contents\b|navigation",
    re.I,
)
BLOCKS = set("p div li ul ol dl dt dd pre table tr td th section article blockquote br main body".split())
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
# API references repeat one pattern on thousands of pages.
API_REFERENCES = re.compile(r"derby|ant-doc|groovy|gradle|poi|boost|scala|ghc|mbedtls|rust")
FILES_PER_PACKAGE, SECTIONS_PER_FILE, SECTIONS_PER_PACKAGE, SECTIONS_PER_REFERENCE = 900, 80, 6000, 1500
SENTENCES_PER_SECTION = 24
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z(`\"])|\n+")


def clean(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("¶", "").replace("§", " ")).strip()


def sentences_of(text: str) -> list[str]:
    """Sentences and lines; what is too short to say something joins the next."""
    found: list[str] = []
    for piece in SENTENCE_END.split(text):
        if len(piece) <= 3:
            continue
        if found and len(found[-1]) < 40:
            found[-1] += " " + piece
        else:
            found.append(piece)
    return found[:SENTENCES_PER_SECTION]


def outline(body) -> list[tuple[list[str], str]]:
    """(headings above, text) of each section."""
    stack: list[tuple[int, str]] = []
    sections: list[tuple[list[str], str]] = []
    buffer: list[str] = []

    def flush() -> None:
        lines = (clean(line) for line in "".join(buffer).split("\n"))
        text = "\n".join(line for line in lines if line)
        buffer.clear()
        if text:
            sections.append(([heading for _, heading in stack], text))

    def visit(element) -> None:
        tag = element.tag
        if not isinstance(tag, str) or tag in SKIPPED_TAGS:
            return
        if tag in HEADINGS:
            flush()
            level = int(tag[1])
            while stack and stack[-1][0] >= level:
                stack.pop()
            heading = clean(element.text_content())[:200]
            if heading:
                stack.append((level, heading))
            return
        names = " ".join(element.get(name) or "" for name in ("class", "id", "role"))
        if tag != "body" and SKIPPED_NAMES.search(names):
            return
        keep = str if tag == "pre" else lambda text: text.replace("\n", " ")
        if tag in BLOCKS:
            buffer.append("\n")
        buffer.append(keep(element.text or ""))
        for child in element:
            visit(child)
            buffer.append(keep(child.tail or ""))
        if tag in BLOCKS:
            buffer.append("\n")

    visit(body)
    flush()
    return sections


def read_page(job: tuple[str, str]) -> list[dict]:
    package, path = job
    try:
        page = html.fromstring(Path(path).read_bytes()[:1_500_000])
        if (page.get("lang") or "en")[:2] != "en":
            return []
        queries = (".//main", './/div[@role="main"]', ".//article", './/div[@class="body"]', ".//body")
        body = next((found for found in map(page.find, queries) if found is not None), None)
        sections = [] if body is None else outline(body)
    except Exception:  # One page that can't be read is no loss.
        return []
    title = clean(page.findtext(".//title") or "")[:160]
    return [
        {
            "group": package,
            "page": path,
            "title": headings[0] if headings else title,
            "heading": headings[-1] if len(headings) > 1 else "",
            "sentences": sentences_of(text[:4000]),
        }
        for headings, text in sections
        if len(text) >= 60
    ][:SECTIONS_PER_FILE]


def documentation(folder: Path, rng: random.Random):
    jobs = []
    for package in sorted(folder.iterdir()):
        files = sorted(
            str(p) for p in package.rglob("*.html") if not p.is_symlink() and not SKIPPED_FILES.search(str(p))
        )
        rng.shuffle(files)
        jobs += [(package.name, file) for file in files[:FILES_PER_PACKAGE]]
    by_package = collections.defaultdict(list)
    with Pool() as pool:
        for sections in pool.imap(read_page, jobs, chunksize=40):
            for section in sections:
                by_package[section["group"]].append(section)
    for package, sections in by_package.items():
        rng.shuffle(sections)
        yield from sections[
            : SECTIONS_PER_REFERENCE if API_REFERENCES.search(package) else SECTIONS_PER_PACKAGE
        ]


def descriptions(file: Path):
    """Debian's own: a line that says what a package is, and paragraphs that say more."""
    for entry in file.read_text().split("\n\n"):
        name = re.search(r"^Package: (.*)", entry, re.M)
        said = re.search(r"^Description-en: (.*)\n((?: .*\n?)*)", entry, re.M)
        if not name or not said or len(said[2]) < 120:
            continue
        text = re.sub(r"\n (?! )", " ", re.sub(r"\n \.\n", "\n\n", said[2]))
        sentences = [s.strip() for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n+", text) if len(s.strip()) > 15]
        if sentences:
            yield {
                "group": "descriptions",
                "page": name[1],
                "title": said[1],
                "heading": said[1],
                "sentences": sentences[:12],
            }


def wordnet(folder: Path):
    """Words of one meaning, what they mean, and how they are used."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text().splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            words = [
                re.sub(r"\(.*\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))
            ]
            said = [piece.strip(' "') for piece in gloss.split(";")]
            yield {
                "group": "wordnet",
                "page": fields[0] + part,
                "title": words[0],
                "heading": words[-1],
                "sentences": [", ".join(words[:2]), *said],
            }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--docs", type=Path, required=True, help="a folder with an unpacked package in each folder"
    )
    parser.add_argument(
        "--descriptions", type=Path, required=True, help="Debian's Translation-en, uncompressed"
    )
    parser.add_argument("--wordnet", type=Path, required=True, help="the folder of data.noun")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    seen = set()
    with options.out.open("w") as out:
        for source in (
            documentation(options.docs, random.Random(7)),
            descriptions(options.descriptions),
            wordnet(options.wordnet),
        ):
            for section in source:
                key = (
                    section["group"] == "wordnet" and section["page"],
                    " ".join(section["sentences"])[:300],
                )
                if section["sentences"] and key not in seen:
                    seen.add(key)
                    out.write(json.dumps(section, ensure_ascii=False) + "\n")
