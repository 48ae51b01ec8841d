// A change costs about 100.

/** Two letters that changed places. No change costs less, so that this tells how many there are. */
export const TRANSPOSED = 70;
/** A letter that was typed twice, or once where it stands twice. */
const DOUBLED = 70;
/** A letter whose key is beside the right one. */
const NEAR_KEY = 80;
/** A letter that sounds like the right one. */
const ALIKE = 95;
const MISSING = 90;
const OTHER = 115;
/** What a change of the first letter costs besides: people rarely get it wrong. */
export const FIRST = 20;

const KEYBOARD = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const ALIKE_LETTERS = ["aeiou", "iy", "ckq", "csz", "gj", "dt", "mn", "vw", "fv"];
const LETTERS = 26;
const A = "a".charCodeAt(0);
/** What it costs to type one small letter for another, by both; what is not there costs as much as any other edit. */
const WRONG = wrongLetters();

function wrongLetters(): Float64Array {
  const costs = new Float64Array(LETTERS * LETTERS).fill(OTHER);
  const set = (one: string | undefined, other: string | undefined, cost: number) => {
    if (one === undefined || other === undefined || one === other) return;
    const [a, b] = [one.charCodeAt(0) - A, other.charCodeAt(0) - A];
    costs[a * LETTERS + b] = cost;
    costs[b * LETTERS + a] = cost;
  };
  for (const alike of ALIKE_LETTERS)
    for (const one of alike) for (const other of alike) set(one, other, ALIKE);
  for (const [row, keys] of KEYBOARD.entries())
    for (const [at, key] of [...keys].entries())
      for (const near of [keys[at + 1], KEYBOARD[row + 1]?.[at - 1], KEYBOARD[row + 1]?.[at]])
        set(key, near, NEAR_KEY);
  return costs;
}

export function wrongCost(typed: number, meant: number): number {
  if (typed === meant) return 0;
  const [a, b] = [typed - A, meant - A];
  return a >= 0 && a < LETTERS && b >= 0 && b < LETTERS ? (WRONG[a * LETTERS + b] ?? OTHER) : OTHER;
}

/** What it costs that a letter is missing behind another. */
export const missingCost = (letter: number, before: number) => (letter === before ? DOUBLED : MISSING);

/** What it costs that a letter of what was typed is too much. */
export function extraCost(letter: number, before: number, after: number): number {
  if (letter === before) return DOUBLED;
  return wrongCost(letter, before) <= NEAR_KEY || wrongCost(letter, after) <= NEAR_KEY ? NEAR_KEY : OTHER;
}

/** What it costs to have typed this for a word: the letters of `codes` from a start to an end. */
type EditCost = (codes: Uint16Array, start: number, end: number, most: number) => number;

/**
 * Measures what it costs to have typed one word for others: letters that are transposed, doubled, missing, too many or
 * wrong (the distance of Damerau and Levenshtein, in which no letter changes twice, with weights). Infinite where it is
 * far more than `most`.
 */
export function createEditCost(typed: Uint16Array): EditCost {
  const { length } = typed;
  const extras = extrasOf(typed);
  // What the last two beginnings of the word and the next one cost, for each beginning of what was typed.
  let twoBefore = new Float64Array(length + 1);
  let before = new Float64Array(length + 1);
  let own = new Float64Array(length + 1);

  return (codes, start, end, most) => {
    // Where the beginnings differ in length by more letters than may be wrong, the cost is out of reach.
    const reach = Math.floor(most / TRANSPOSED);
    if (Math.abs(end - start - length) > reach) return Number.POSITIVE_INFINITY;
    before.fill(Number.POSITIVE_INFINITY);
    own.fill(Number.POSITIVE_INFINITY);
    before[0] = 0;
    for (let at = 1; at <= Math.min(length, reach); at++)
      before[at] = (before[at - 1] ?? 0) + (extras[at - 1] ?? 0);
    let leastBefore = 0;
    for (let index = start; index < end; index++) {
      const least = extend(codes, start, index, reach);
      if (least > most && leastBefore + TRANSPOSED > most) return Number.POSITIVE_INFINITY;
      leastBefore = least;
      [twoBefore, before, own] = [before, own, twoBefore];
    }
    return before[length] ?? 0;
  };

  /** Adds a letter to the beginning of the word. Returns the least that it costs. */
  function extend(codes: Uint16Array, start: number, index: number, reach: number): number {
    const letter = codes[index] ?? 0;
    const letterBefore = index > start ? (codes[index - 1] ?? 0) : 0;
    const first = index === start ? FIRST : 0;
    const missing = missingCost(letter, letterBefore) + first;
    const from = index - start + 1 - reach;
    const end = Math.min(length, index - start + 1 + reach);
    own[Math.max(0, from - 1)] = from <= 0 ? (before[0] ?? 0) + missing : Number.POSITIVE_INFINITY;
    let least = own[Math.max(0, from - 1)] ?? 0;
    for (let at = Math.max(1, from); at <= end; at++) {
      const typedLetter = typed[at - 1] ?? 0;
      const wrong = wrongCost(typedLetter, letter);
      let cost = (before[at - 1] ?? 0) + (wrong > 0 && at === 1 ? wrong + first : wrong);
      const withMissing = (before[at] ?? 0) + missing;
      if (withMissing < cost) cost = withMissing;
      const withExtra = (own[at - 1] ?? 0) + (extras[at - 1] ?? 0);
      if (withExtra < cost) cost = withExtra;
      if (at > 1 && index > start && typedLetter === letterBefore && typed[at - 2] === letter) {
        const transposed = (twoBefore[at - 2] ?? 0) + TRANSPOSED;
        if (transposed < cost) cost = transposed;
      }
      own[at] = cost;
      if (cost < least) least = cost;
    }
    if (end < length) own[end + 1] = Number.POSITIVE_INFINITY;
    return least;
  }
}

/** What it costs that each letter of what was typed is too much. */
const extrasOf = (typed: Uint16Array) =>
  Float64Array.from(
    typed,
    (letter, at) => extraCost(letter, typed[at - 1] ?? 0, typed[at + 1] ?? 0) + (at === 0 ? FIRST : 0),
  );
