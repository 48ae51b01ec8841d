/** Words of a text that are missing in the middle of what is shown of it. */
export interface Gap {
  /** The words that are missing: from, and up to, an index of what was said. */
  from: number;
  to: number;
  /** The index of the shown word that stands behind the gap. */
  shownAt: number;
}

/** Where three words in a row stand in what is shown. */
type Places = ReadonlyMap<number, readonly number[]>;

/** How many words at most are looked over to find where both texts go on alike. */
const SKIPPED_MAX = 8;
/** Words that were put in between: what a template or a reference says in their place. */
const ADDED_MAX = 40;
/** How many of the places where the same words stand are followed: texts that repeat themselves have thousands. */
const PLACES_MAX = 4;
/** How many words have to be alike for both texts to go on. */
const ALIKE_MIN = 2;
const MULTIPLIER = 0x1_0000;

const keyOf = (words: Int32Array, at: number): number =>
  ((words[at] ?? 0) * MULTIPLIER + (words[at + 1] ?? 0)) * MULTIPLIER + (words[at + 2] ?? 0);

/** Where every three words in a row stand. */
function placesOf(shown: Int32Array): Places {
  const places = new Map<number, number[]>();
  for (let at = 0; at + 2 < shown.length; at++) {
    const key = keyOf(shown, at);
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else known.push(at);
  }
  return places;
}

/** The places nearest to where the text before stood: one before it, and the others behind it. */
function nearest(places: readonly number[], near: number): readonly number[] {
  if (places.length <= PLACES_MAX) return places;
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < near) low = middle + 1;
    else high = middle;
  }
  const from = Math.max(0, Math.min(low - 1, places.length - PLACES_MAX));
  return places.slice(from, from + PLACES_MAX);
}

/** What is shown of a page, to look stretches of text up in. */
interface Shown {
  words: Int32Array;
  /** The same from the end, for what stands before words that were found. */
  backwards: Int32Array;
  places: Places;
}

export function shownAs(words: Int32Array): Shown {
  return { words, backwards: words.toReversed(), places: placesOf(words) };
}

/**
 * The gaps in what is shown of one stretch of text, which is looked for near where the one before ended. Words that stand
 * nowhere are no gap by themselves: a gap has words of the same stretch on both sides, in the order in which they were said.
 */
export function gapsIn(said: Int32Array, shown: Shown, near: number): { gaps: Gap[]; near: number } {
  const gaps: Gap[] = [];
  let last = near;
  let from = 0;
  for (let at = 0; at + 2 < said.length; ) {
    const found = shown.places.get(keyOf(said, at));
    if (found === undefined) {
      at += 1;
      continue;
    }
    let best: Followed | undefined;
    for (const place of nearest(found, last)) {
      const followed = followBothWays(said, shown, { from, at, place });
      if (best === undefined || isBetter(followed, best)) best = followed;
    }
    if (best === undefined) break;
    gaps.push(...best.gaps.filter((gap) => !standsElsewhere(said, gap, shown.places)));
    at = best.end;
    from = best.end;
    last = best.shownEnd;
  }
  return { gaps, near: last };
}

/** Follows both texts from where three words are alike, backwards too as far as nothing was followed yet. */
function followBothWays(
  said: Int32Array,
  { words, backwards }: Shown,
  { from, at, place }: { from: number; at: number; place: number },
): Followed {
  const on = follow(said, words, { said: at, shown: place });
  if (at === from) return on;
  const start = words.length - place;
  const back = follow(said.slice(from, at).reverse(), backwards, { said: 0, shown: start });
  const before = back.gaps.map((gap) => ({
    from: at - gap.to,
    to: at - gap.from,
    shownAt: words.length - gap.shownAt,
  }));
  return { ...on, gaps: [...before, ...on.gaps], followed: on.followed + back.followed };
}

/** Whether the words stand in what is shown after all, with the same words around them: texts repeat themselves. */
function standsElsewhere(said: Int32Array, { from, to }: Gap, places: Places): boolean {
  for (let at = Math.max(0, from - 1); at <= Math.min(to - 1, said.length - 3); at++)
    if (!places.has(keyOf(said, at))) return false;
  return true;
}

interface Followed {
  gaps: Gap[];
  /** Up to where of what was said both were followed. */
  end: number;
  shownEnd: number;
  /** How many words were followed. */
  followed: number;
}

const isBetter = (one: Followed, other: Followed): boolean =>
  one.followed > other.followed || (one.followed === other.followed && one.gaps.length < other.gaps.length);

/** Follows both texts from where they are alike, over gaps and words put in between. */
function follow(said: Int32Array, shown: Int32Array, from: { said: number; shown: number }): Followed {
  const gaps: Gap[] = [];
  let at = from.said;
  let place = from.shown;
  while (at < said.length) {
    if (said[at] === shown[place]) {
      at += 1;
      place += 1;
      continue;
    }
    const step = nextAlike(said, shown, { said: at, shown: place });
    if (step === undefined) break;
    if (step.added === 0) gaps.push({ from: at, to: at + step.skipped, shownAt: place });
    at += step.skipped;
    place += step.added;
  }
  return { gaps, end: at, shownEnd: place, followed: at - from.said };
}

/**
 * How many words have to be skipped on either side until both go on alike. Words that were only put in between come first:
 * then nothing is missing.
 */
function nextAlike(
  said: Int32Array,
  shown: Int32Array,
  { said: at, shown: place }: { said: number; shown: number },
): { skipped: number; added: number } | undefined {
  for (let added = 1; added <= ADDED_MAX; added++)
    if (alikeFrom(said, shown, at, place + added) >= Math.min(ALIKE_MIN, said.length - at))
      return { skipped: 0, added };
  for (let both = 1; both <= SKIPPED_MAX; both++)
    for (let skipped = both; skipped > 0; skipped--) {
      const added = both - skipped;
      const wanted = Math.min(ALIKE_MIN, Math.max(said.length - at - skipped, skipped === 1 ? 1 : ALIKE_MIN));
      if (alikeFrom(said, shown, at + skipped, place + added) >= wanted) return { skipped, added };
    }
  return undefined;
}

/** How many words are alike from here on, as far as it is asked. */
function alikeFrom(said: Int32Array, shown: Int32Array, at: number, place: number): number {
  let count = 0;
  while (
    count < ALIKE_MIN &&
    at + count < said.length &&
    place + count < shown.length &&
    said[at + count] === shown[place + count]
  )
    count += 1;
  return count;
}
