import { ALL_WORDS, BEGINS, BEGUN, EQUAL, HAS, IN_ORDER, type Match } from "./match-name.ts";
import type { Name } from "./name-list.ts";
import type { Typed } from "./typed.ts";

/** A name that has what was typed. */
export interface Named {
  name: Name;
  match: Match;
}

interface OrderOptions {
  most: number;
  isCommon(name: Name): boolean;
  /** Whether a page tells what was new once. */
  isOld(path: string): boolean;
}

/** In which order pages and sections come, by how their names have what was typed. */
const PLACES = {
  page: { [EQUAL]: 0, [BEGINS]: 1, [BEGUN]: 3, [HAS]: 5, [IN_ORDER]: 7, [ALL_WORDS]: 9 },
  section: { [EQUAL]: 2, [BEGINS]: 4, [BEGUN]: 4, [HAS]: 6, [IN_ORDER]: 8, [ALL_WORDS]: 10 },
};

/** What is spelled as code names an option rather than the beginning of a title. */
const CODE = { equal: 0.5, begun: 2.5 };
/** What stands behind a namespace comes after a title that begins so: `sign` of `PrivateKey.sign` after "Signals". */
const BEHIND_NAMESPACE = 3.5;
const COMMON = 4.5;
/** So much further back are a section that has a word in another form, and one of a page that tells what was new once. */
const INFLECTED = 2.5;
const OLD = 6.5;

/** The best, in order: of what is the same in several versions or languages, one. */
export function bestNames(found: readonly Named[], typed: Typed, options: OrderOptions): Name[] {
  const { most } = options;
  const byPlace = Map.groupBy(found, (named) => placeOf(named, typed, options));
  const best = new Map<string, Name>();
  for (const place of [...byPlace.keys()].sort((a, b) => a - b)) {
    // Each place is put in order only where those before it are not enough.
    if (best.size >= most) break;
    const keyed = (byPlace.get(place) ?? []).map((named) => ({ named, key: keyOf(named, typed) }));
    for (const { named } of keyed.sort((a, b) => compareKeys(a.key, b.key))) {
      const topic = topicOf(named.name);
      if (!best.has(topic)) best.set(topic, named.name);
      if (best.size >= most) break;
    }
  }
  return [...best.values()];
}

function topicOf({ page: { path, language }, level, forms }: Name): string {
  const [folder = ""] = path.split("/", 1);
  const isBelow = language !== "" && folder.toLowerCase() === language.toLowerCase();
  return JSON.stringify([isBelow ? path.slice(folder.length + 1) : path, level, forms[0]?.spelling.letters]);
}

function keyOf({ name, match }: Named, { text }: Typed): number[] {
  return [
    match.part,
    match.inflected,
    Number(!name.written.includes(text)),
    match.rest,
    name.level,
    name.page.path.split("/").length,
    name.position,
  ];
}

function placeOf({ name, match }: Named, { isCode }: Typed, { isCommon, isOld }: OrderOptions): number {
  if (name.level === 0) return PLACES.page[match.how];
  const place = placeOfSection(match, isCode);
  const among = match.how <= BEGUN && isCommon(name) ? Math.max(place, COMMON) : place;
  return isOld(name.page.path) ? among + OLD : among;
}

function placeOfSection({ how, part, inflected }: Match, isCode: boolean): number {
  const place = PLACES.section[how];
  if (inflected > 0) return place + INFLECTED;
  if (how > BEGUN) return place;
  if (isCode) return how === EQUAL ? CODE.equal : CODE.begun;
  return how === EQUAL && part > 0 ? BEHIND_NAMESPACE : place;
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, own] of a.entries()) {
    const difference = own - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
