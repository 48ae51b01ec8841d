"""BERT's vocabulary without what never helps, and the whole words of documentation that it would break to pieces."""

import argparse
import collections
import json
import re
from pathlib import Path

from wordpiece import WORD, Wordpiece, fold

LATIN = re.compile(r"(##)?[a-z0-9]+")
NEW_WORD = re.compile(r"[a-z][a-z0-9]{2,24}")
NOT_A_WORD = re.compile(r"\d{3}|[0-9a-f]{8}")
GROUPS_MIN, GROUPS_MAX = 6, 40
DESCRIPTIONS_PER_GROUP = 800


def choose(bert: list[str], sections: Path, entries: int) -> list[str]:
    kept = [entry for entry in bert if LATIN.fullmatch(entry)]
    known = Wordpiece(kept)
    count: collections.Counter[str] = collections.Counter()
    groups = collections.defaultdict(set)
    with sections.open() as lines:
        for number, line in enumerate(lines):
            section = json.loads(line)
            group = section["group"]
            if group == "wordnet":
                continue
            if group == "descriptions":
                group = number // DESCRIPTIONS_PER_GROUP
            for word in {
                fold(word) for word in WORD.findall(" ".join([section["heading"], *section["sentences"]]))
            }:
                count[word] += 1
                groups[word].add(group)
    new = [
        word
        for word in count
        if word not in known.ids
        and NEW_WORD.fullmatch(word)
        and len(groups[word]) >= GROUPS_MIN
        and not NOT_A_WORD.search(word)
    ]
    new.sort(key=lambda word: (-count[word] * min(len(groups[word]), GROUPS_MAX), word))
    return kept + new[: entries - len(kept)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bert", type=Path, required=True, help="vocab.txt of the encoder")
    parser.add_argument("--sections", type=Path, required=True)
    parser.add_argument("--entries", type=int, default=36_900)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    chosen = choose(options.bert.read_text().splitlines(), options.sections, options.entries)
    options.out.write_text("\n".join(chosen))
