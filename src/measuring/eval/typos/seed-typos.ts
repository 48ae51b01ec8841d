import { isStopWord, wordsOf } from "@docent/finding/search/analyze";

/** The kinds of mistakes that fingers make. */
const TYPOS = ["transposed", "missing", "doubled", "neighbouring"] as const;

/** Shorter words are hardly ever mistyped, and nobody could tell what was meant. */
const LETTERS_MIN = 4;
const KEYBOARD = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** A word of a question, and where it stands. */
interface Place {
  word: string;
  at: number;
}

/** The question with so many typos, each in another of its words; undefined where it has fewer words for them. */
export function withTypos(question: string, count: number, random: () => number): string | undefined {
  const places = contentWords(question);
  if (places.length < count) return undefined;
  const chosen: Place[] = [];
  for (let left = count; left > 0; left--)
    chosen.push(...places.splice(Math.floor(random() * places.length), 1));
  // From the last to the first, so that those before stay where they are.
  return chosen
    .sort((a, b) => b.at - a.at)
    .reduce(
      (text, { word, at }) => text.slice(0, at) + misspell(word, random) + text.slice(at + word.length),
      question,
    );
}

/** The words that say what a question is about: no names, numbers and stop words. */
function contentWords(question: string): Place[] {
  let from = 0;
  return wordsOf(question).flatMap(({ written, terms, isName }) => {
    const at = question.indexOf(written, from);
    if (at < 0) return [];
    from = at + written.length;
    const isContent = !isName && terms.some((term) => !isStopWord(term));
    return isContent && /^[\p{Ll}\p{Lu}]+$/u.test(written) && written.length >= LETTERS_MIN
      ? [{ word: written, at }]
      : [];
  });
}

/** A word with one letter wrong. */
function misspell(word: string, random: () => number): string {
  for (;;) {
    const kind = TYPOS[Math.floor(random() * TYPOS.length)] ?? "missing";
    const wrong = typed(word, kind, Math.floor(random() * word.length), random);
    if (wrong !== word) return wrong;
  }
}

function typed(word: string, kind: (typeof TYPOS)[number], at: number, random: () => number): string {
  const [before, letter, after] = [word.slice(0, at), word[at] ?? "", word.slice(at + 1)];
  if (kind === "missing") return before + after;
  if (kind === "doubled") return before + letter + letter + after;
  if (kind === "transposed") return after === "" ? word : before + after[0] + letter + after.slice(1);
  const near = neighboursOf(letter.toLowerCase());
  return before + (near[Math.floor(random() * near.length)] ?? letter) + after;
}

/** The keys beside a letter's. */
function neighboursOf(letter: string): string[] {
  const row = KEYBOARD.find((keys) => keys.includes(letter));
  const at = row?.indexOf(letter) ?? -1;
  return [row?.[at - 1], row?.[at + 1]].filter((key) => key !== undefined);
}
