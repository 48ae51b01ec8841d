"""Texts that somebody translated, with their English originals -> pairs.jsonl: [language, English, translation] a line."""

import argparse
import gzip
import html
import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import yaml

LANGUAGES = ["de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"]
ENGLISH_CHARACTERS_MAX = 2000

Pair = tuple[str, str, str]

TAG = re.compile(r"<[^>]+>")
PARAGRAPH = re.compile(r'<(?:p|h\d)\b[^>]*\bid="((?:par|hd)_id\w+)"[^>]*>(.*?)</(?:p|h\d)>', re.DOTALL)
# Help says something else on a Mac, in a part that is hidden elsewhere.
FOR_MAC = re.compile(r'<span hidden="true"[^>]*class="MAC">.*?</span>')
STANZA_KEY = re.compile(r"^Description-md5: (\S+)", re.MULTILINE)
STANZA_TEXT = re.compile(r"^Description-\w+: (.*(?:\n .*)*)", re.MULTILINE)


def plain(markup: str) -> str:
    return " ".join(html.unescape(TAG.sub(" ", markup)).split())


def paragraphs(description: str) -> list[str]:
    first, *rest = description.split("\n")
    found, current = [first], []
    for line in [*rest, " ."]:
        if line.strip() != ".":
            current.append(line.strip())
        elif current:
            found.append(" ".join(current))
            current = []
    return found


def read_descriptions(path: Path) -> dict[str, list[str]]:
    found = {}
    for stanza in path.read_text(errors="replace").split("\n\n"):
        key, text = STANZA_KEY.search(stanza), STANZA_TEXT.search(stanza)
        if key and text:
            found[key.group(1)] = paragraphs(text.group(1))
    return found


def from_descriptions(folder: Path) -> Iterator[Pair]:
    """What packages are for: Debian's Translation-en, Translation-de and so on."""
    english = {}
    for path in folder.glob("*Translation-en"):
        english |= read_descriptions(path)
    for path in sorted(folder.glob("*Translation-*")):
        language = re.split("_|%5f", path.name.split("Translation-")[1])[0]
        if language not in LANGUAGES:
            continue
        for key, translated in read_descriptions(path).items():
            original = english.get(key, [])
            same = len(original) == len(translated)
            for pair in zip(original, translated) if same else [*zip(original, translated)][:1]:
                yield (language, *pair)


def read_help(path: Path) -> dict[str, str]:
    return {
        key: plain(FOR_MAC.sub("", body)) for key, body in PARAGRAPH.findall(path.read_text(errors="replace"))
    }


def from_help(packages: Path) -> Iterator[Pair]:
    """LibreOffice's help: a paragraph has the same id in all languages."""
    home = "usr/share/libreoffice/help"
    english = packages / "libreoffice-help-en-us" / home / "en-US"
    pages = {path.relative_to(english): read_help(path) for path in english.glob("text/**/*.html")}
    for folder in sorted(packages.glob(f"libreoffice-help-*/{home}/*/")):
        language = folder.name.split("-")[0]
        if language not in LANGUAGES:
            continue
        for page, originals in pages.items():
            if not (folder / page).exists():
                continue
            for key, translated in read_help(folder / page).items():
                if key in originals:
                    yield language, originals[key], translated


def read_catalogue(path: Path) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    _, _, count, keys_at, values_at = struct.unpack("<5I", data[:20])

    def text(at: int) -> str:
        length, start = struct.unpack("<2I", data[at : at + 8])
        found = data[start : start + length].decode(errors="replace").split("\4")[-1].split("\0")[0]
        # Marks of keys to press, and places for values.
        found = re.sub(r"\(~?[A-Z]\)|[~_]|%\w+%?|\$\(\w+\)", "", plain(found))
        return " ".join(found.split())

    for index in range(count):
        yield text(keys_at + 8 * index), text(values_at + 8 * index)


def from_catalogues(packages: Path) -> Iterator[Pair]:
    """LibreOffice's menus and messages."""
    folder = "usr/lib/libreoffice/program/resource"
    for path in sorted(packages.glob(f"libreoffice-l10n-*/{folder}/*/LC_MESSAGES/*.mo")):
        language = path.parent.parent.name.split("_")[0]
        if language in LANGUAGES:
            for pair in read_catalogue(path):
                yield (language, *pair)


def from_programs(components: Path) -> Iterator[Pair]:
    """What programs are called and for: Debian's DEP-11 components."""
    with gzip.open(components, "rt") as file:
        for component in yaml.load_all(file, yaml.CSafeLoader):
            for key in ("Name", "Summary", "Description"):
                texts = component.get(key)
                if not isinstance(texts, dict) or "C" not in texts:
                    continue
                parts = {code: [plain(p) for p in re.split("</(?:p|li)>", t)] for code, t in texts.items()}
                for code, translated in parts.items():
                    language = re.split("[_@-]", code)[0]
                    if language in LANGUAGES and len(translated) == len(parts["C"]):
                        for pair in zip(parts["C"], translated):
                            yield (language, *pair)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--descriptions", type=Path, required=True, help="a folder of Translation files")
    parser.add_argument("--packages", type=Path, required=True, help="a folder for each unpacked package")
    parser.add_argument("--components", type=Path, required=True, help="Components-amd64.yml.gz")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    seen = set()
    with options.out.open("w") as out:
        for pairs in (
            from_descriptions(options.descriptions),
            from_help(options.packages),
            from_catalogues(options.packages),
            from_programs(options.components),
        ):
            for pair in pairs:
                _, english, translated = pair
                if not 2 <= len(english) <= ENGLISH_CHARACTERS_MAX or not translated or english == translated:
                    continue
                if pair not in seen:
                    seen.add(pair)
                    out.write(json.dumps(pair, ensure_ascii=False) + "\n")
    print(f"{options.out}: {len(seen)} pairs")
