import { isSame, type Quantity, quantitiesIn, timesNamedIn, unitBetween } from "./quantities.ts";
import { type Doubt, type Known, type Statement, shareOf } from "./statement.ts";
import { clausesOf, type ToldPassage, type ToldPiece } from "./told.ts";

/** What has a number must have this share of the words that the best piece has. */
const REACH = 0.4;
/** The same for the words of the number's own clause, where another piece with another number has more of them. */
const OTHER_REACH = 0.34;
const SAME_CLAUSE = 0.5;
/** A number with one of these behind it counts what the answer itself lists. */
const COUNTED =
  /^\W*(?:\p{L}+\s)?(?:ways?|options?|steps?|things?|methods?|reasons?|cases?|parts?|kinds?|types?|conditions?|places?|commands?|settings?|possibilities|forms?|choices|of them|of these|Möglichkeiten|Schritten?|Arten|Fällen?|Optionen|façons|étapes|formas|pasos|种|个步骤|つ)/iu;
const COUNTED_MAX = 10;
/** How many numbers of a statement are looked at, and how many of them others may be made of. */
const NUMBERS_MAX = 60;
const GIVEN_MAX = 12;
const RECKONS = /[=×≈]/;
const WHAT_CHARACTERS = 24;

/** The numbers that what is cited has not, has of something else, or bounds the other way. */
export function numberDoubts({ asked }: Known, statement: Statement): Doubt[] {
  const { text, isCode } = statement;
  if (RECKONS.test(text) && !isCode) return [];
  const found: Quantity[] = [];
  const lost: Quantity[] = [];
  for (const quantity of quantitiesIn(text).slice(0, NUMBERS_MAX)) {
    if (asked.some((each) => isSame(quantity, each)) || isCount(quantity, text)) continue;
    (isTold(quantity, statement) ? found : lost).push(quantity);
  }
  // A reader's own number may be anywhere in code that is made for them.
  if (isCode && asked.length > 0) return [];
  return lost
    .filter((quantity) => !isReckoned(quantity, [...found, ...asked]))
    .map(({ at }) => ({ kind: "number", what: text.slice(at, at + WHAT_CHARACTERS) }));
}

function isCount({ unit, values, written, end }: Quantity, text: string): boolean {
  if (unit !== undefined || values.some((value) => value > COUNTED_MAX)) return false;
  const isPair = /^\p{L}/u.test(written) && values.every((value) => value < 3);
  return isPair || COUNTED.test(text.slice(end));
}

function isTold(quantity: Quantity, statement: Statement): boolean {
  const { near, code, isCode, isComparable, cited } = statement;
  const telling = near.filter(({ piece }) =>
    piece.quantities.some((each) => matches(quantity, each, cited) && !isOtherBound(quantity, each)),
  );
  if (telling.length === 0) return false;
  if (isCode || !isComparable) return true;
  if (
    isOfOther(
      quantity,
      statement,
      telling.map(({ piece }) => piece),
    )
  )
    return false;
  if (telling.some(({ piece }) => code.some((name) => piece.text.includes(name)))) return true;
  const best = Math.max(...near.map(({ share }) => share));
  return Math.max(...telling.map(({ share }) => share)) >= best * REACH;
}

/** Whether the docs' number is the stated one. A unit that they leave out must at least be named. */
function matches(stated: Quantity, told: Quantity, cited: readonly ToldPassage[]): boolean {
  if (stated.unit === undefined || told.unit !== undefined) return isSame(stated, told);
  if (stated.unit !== "time") return isSame(stated, told);
  const names = unitBetween(told, stated);
  return names !== undefined && cited.some(({ text }) => names.test(text) || timesNamedIn(text).length === 0);
}

const isOtherBound = (one: Quantity, other: Quantity) =>
  one.bound !== undefined && other.bound !== undefined && one.bound !== other.bound;

/** Whether the clause of a number stands in the passages with another number, and this one elsewhere. */
function isOfOther({ at }: Quantity, { text, near }: Statement, telling: readonly ToldPiece[]): boolean {
  let end = 0;
  const clause = clausesOf(text).find((each) => {
    const start = text.indexOf(each.text, end);
    end = start + each.text.length;
    return start <= at && at < end;
  });
  if (clause === undefined || clause.terms.size < 2) return false;
  const shareIn = ({ terms }: ToldPiece) => shareOf(clause.terms, (term) => terms.has(term));
  const numbered = near.filter(({ piece }) => piece.quantities.length > 0);
  const best = Math.max(0, ...numbered.map(({ piece }) => shareIn(piece)));
  if (best < SAME_CLAUSE || best * clause.terms.size < 2) return false;
  return Math.max(0, ...telling.map(shareIn)) < best * OTHER_REACH;
}

/** Whether a number is the sum, difference, product or quotient of two that are given. */
function isReckoned({ values }: Quantity, given: readonly Quantity[]): boolean {
  const all = given.slice(0, GIVEN_MAX).flatMap((each, at) => each.values.map((value) => ({ at, value })));
  return all.some((one) =>
    all.some(
      (other) =>
        one.at !== other.at &&
        [
          one.value + other.value,
          one.value - other.value,
          one.value * other.value,
          one.value / other.value,
        ].some((made) => values.some((value) => Math.abs(made - value) < 1e-6)),
    ),
  );
}

/** Units of time that what is cited does not name, where it names others: "given in minutes". */
export function unitDoubts({ question }: Known, { text, cited, isCode }: Statement): Doubt[] {
  const told = cited.map((each) => each.text).join("\n");
  if (isCode || timesNamedIn(told).length === 0) return [];
  let bare = text;
  for (const { at, end } of quantitiesIn(text))
    bare = bare.slice(0, at) + " ".repeat(end - at) + bare.slice(end);
  return timesNamedIn(bare)
    .filter((names) => !names.test(told) && !names.test(question))
    .map((names) => ({ kind: "number", what: names.exec(bare)?.[0] ?? "" }));
}
