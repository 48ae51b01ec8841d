import { FIELDS } from "../fields.ts";

/** How often a term stands in each field of one passage. */
type Counts = ArrayLike<number>;

/**
 * The ways in which terms stand in the passages of a segment: once in the body, twice in the body and once in the title,
 * and so on. There are few of them, so a list of passages has a small number for each instead of counts.
 */
export interface Occurrences {
  /** All of them, by number. */
  readonly counts: readonly (readonly number[])[];
  /** How often each stands in a passage, all fields together. */
  readonly totals: readonly number[];
  /** The number of one, which is new where it was not there. */
  numberOf(counts: Counts): number;
}

export function createOccurrences(known: readonly Counts[] = []): Occurrences {
  const counts: number[][] = [];
  const totals: number[] = [];
  const ofOneField = new Map<number, number>();
  const ofSeveral = new Map<string, number>();

  function add(given: Counts): number {
    const own = Array.from(given);
    counts.push(own);
    totals.push(own.reduce((sum, count) => sum + count, 0));
    return counts.length - 1;
  }

  function numberOf(given: Counts): number {
    const field = onlyField(given);
    if (field < 0) {
      const key = keyOf(given);
      const number = ofSeveral.get(key) ?? add(given);
      ofSeveral.set(key, number);
      return number;
    }
    const key = field * POSITIONS_MAX + (given[field] ?? 0);
    let number = ofOneField.get(key);
    if (number === undefined) {
      number = add(given);
      ofOneField.set(key, number);
    }
    return number;
  }

  for (const each of known) numberOf(each);
  return { counts, totals, numberOf };
}

/** The counts in one text. */
function keyOf(counts: Counts): string {
  let key = "";
  for (let field = 0; field < FIELDS.length; field++) key += `${counts[field] ?? 0} `;
  return key;
}

/** The field that has all of them; -1 where several have some. */
function onlyField(counts: Counts): number {
  let only = -1;
  for (let field = 0; field < FIELDS.length; field++) {
    if ((counts[field] ?? 0) === 0) continue;
    if (only >= 0) return -1;
    only = field;
  }
  return only;
}

/** What each of them counts for when fields have these weights. */
export function weigh({ counts }: Pick<Occurrences, "counts">, weights: readonly number[]): Float64Array {
  return Float64Array.from(counts, (each) =>
    each.reduce((sum, count, field) => sum + count * (weights[field] ?? 0), 0),
  );
}

// A place in a passage as one number: its field, and its position there. Places ascend as fields and positions do.

/** No field has so many positions. */
export const POSITIONS_MAX = 2 ** 24;

export const placeOf = (field: number, position: number) => field * POSITIONS_MAX + position;
export const fieldOf = (place: number) => place >>> 24;
export const positionOf = (place: number) => place & 0xffffff;
