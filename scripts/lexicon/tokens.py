"""Texts to words, as src/finding/search/translate/read-words.ts does it, but for words that are not known."""

import re
import unicodedata
from collections import Counter

SCRIPTS_WITHOUT_SPACES = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
PART = re.compile(f"[{SCRIPTS_WITHOUT_SPACES}]+|[^{SCRIPTS_WITHOUT_SPACES}]+")
IS_RUN = re.compile(f"[{SCRIPTS_WITHOUT_SPACES}]")
# Katakana spell words of other languages; where they end, so does the word.
KATAKANA = re.compile("[\u30a0-\u30ff]{2,8}")
RUN_WORD_MAX, COUNTED_RUN_MAX = 8, 4


def fold(word: str) -> str:
    return unicodedata.normalize("NFC", word.lower())


def parts(text: str) -> list[str]:
    """Words in lower case, and whole runs of characters that no spaces part."""
    words = WORD.findall(unicodedata.normalize("NFC", text))
    return [fold(part) for word in words for part in PART.findall(word)]


def numbers(text: str, known: dict[str, int]) -> list[int]:
    """The numbers of the known words, and -1 for each of the others."""
    found: list[int] = []
    for part in parts(text):
        if not IS_RUN.match(part) or part in known:
            found.append(known.get(part, -1))
            continue
        start = 0
        while start < len(part):
            for end in range(min(len(part), start + RUN_WORD_MAX), start, -1):
                if part[start:end] in known:
                    found.append(known[part[start:end]])
                    start = end
                    break
            else:
                start += 1
    return found


def count(texts: list[str]) -> Counter[str]:
    """In how many texts each word is; of runs, each piece of up to four characters."""
    counts: Counter[str] = Counter()
    for text in texts:
        for part in set(parts(text)):
            if IS_RUN.match(part):
                counts.update(word for word in KATAKANA.findall(part) if len(word) > COUNTED_RUN_MAX)
                for length in range(1, COUNTED_RUN_MAX + 1):
                    counts.update(part[at : at + length] for at in range(len(part) - length + 1))
            elif not re.search(r"\d", part):
                counts[part] += 1
    return counts
