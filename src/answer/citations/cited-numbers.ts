const RANGE_MAX = 20;
const NAME = "(?:(?:passages?|sources?|documents?|docs?|references?|refs?)\\b[\\s:#]*)?";
const NUMBER = "\\^?[1-9]\\d{0,2}(?:†[^\\[\\]【】\\n]{0,40})?";
const JOINT = "\\s*(?:[,;&–-]|and)\\s*";
/** The text between the brackets: `1`, `1, 3`, `2-4`, `^1`, `Passage 1`, `1†source`. */
const CITATION = new RegExp(`^\\s*${NAME}${NUMBER}(?:${JOINT}${NAME}${NUMBER})*\\s*$`, "i");

/** The distinct numbers that the text inside brackets cites; undefined where it is not a citation. */
export function citedNumbers(inside: string): number[] | undefined {
  // Some models nest brackets: [[1]], [[1], [2]].
  const plain = inside.replace(/[[\]]/g, "");
  return CITATION.test(plain) ? numbersIn(plain) : undefined;
}

function numbersIn(text: string): number[] {
  const numbers: number[] = [];
  const plain = text.replace(/†[^,;&]*/g, "");
  for (const [, from = "", to] of plain.matchAll(/(\d{1,3})(?:\s*[–-]\s*\^?(\d{1,3}))?/g)) {
    const first = Number(from);
    const last = to === undefined ? first : Math.min(Number(to), first + RANGE_MAX);
    for (let number = first; number <= last; number++) numbers.push(number);
  }
  return [...new Set(numbers)];
}

/** A value that code takes out of a list: `delays[2]`, `grid[0][1]`. */
const INDEX = /[\p{L}_$][\p{L}\p{N}_$]{0,60}(?:\[[\d,:–\s-]{1,12}\]){1,4}/gu;
const INDEXED_AT_END = /[\p{L}_$][\p{L}\p{N}_$]{0,60}(?:\[[\d,:–\s-]{1,12}\]){0,3}$/u;
const USED_AS_CODE = /^(?:\.[a-z_]| =)/;
/** How many characters after the brackets tell an index. */
export const AFTER_INDEX_CHARACTERS = 2;

/** What looks like citations in a text, but takes values out of lists. */
export function indexesIn(text: string): string[] {
  if (!text.includes("[")) return [];
  return [...text.matchAll(INDEX)].flatMap(([found]) =>
    [...found.matchAll(/\]/g)].map(({ index }) => found.slice(0, index + 1)),
  );
}

/**
 * Whether brackets are an index of code in a model's prose. Citations stand directly behind words as well, so it takes
 * a proof: the docs write the same, or the value is used.
 */
export function isIndex(
  { before, inside, after }: { before: string; inside: string; after: string },
  known: ReadonlySet<string>,
): boolean {
  const list = INDEXED_AT_END.exec(before)?.[0];
  return list !== undefined && (known.has(`${list}[${inside}]`) || USED_AS_CODE.test(after));
}
