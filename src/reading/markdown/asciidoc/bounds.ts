/**
 * A page with what it includes is not longer than this: the library takes more than twice the time for twice the page. The
 * reference of a program in one page may have more than 600,000.
 */
export const CHARACTERS_MAX = 1_000_000;

/** What a page may not have too many of, for the same reason. */
const COUNTED: readonly [what: string, pattern: RegExp, max: number][] = [
  // Each may stand for some thousands of characters.
  ["references to attributes", /\{(?=[\w!])/g, 10_000],
  ["headings", /^(?:={1,6}[ \t]|#{1,6}[ \t]|[-=~^+]{3,}[ \t]*$)/gm, 3_000],
  ["items of lists", /^[ \t]{0,40}(?:[*.-]{1,40}[ \t]|\S.{0,200}(?:::|;;)(?:[ \t]|$)|\+[ \t]*$)/gm, 6_000],
  ["cells that hold pages", /(?:^|[\s|!])[.\d*+<>^]{0,20}a[|!]/gm, 500],
  ["cells that are given thousands of times", /\d{4,}(?:\.\d{1,20})?[*+][<^>.]{0,4}[a-z]?[|!¦:;,]/g, 0],
  ["columns that are given thousands of times", /cols=[^\n]{0,1000}\d{4,}\*/g, 0],
  ["passages that are left alone", /(?:^|[^\w+])\+{1,3}(?=[^\s+])|\bpass:[a-z,]{0,20}\[/gm, 15_000],
  ["breaks of lines", /[ \t]\+$/gm, 5_000],
];
/** Marks around words, each where it opens and where it closes: from one that is not closed, the library looks to the end. */
const SPANS: readonly (readonly [opening: RegExp, closing: RegExp])[] = [
  "\\*",
  "_",
  "`",
  "#",
  "\\+",
  "'",
].flatMap((sign) => [
  [new RegExp(`(?<![\\w;:}])${sign}(?=\\S)`, "g"), new RegExp(`(?<=\\S)${sign}(?!\\w)`, "g")] as const,
  [new RegExp(`${sign}${sign}`, "g"), new RegExp(`${sign}${sign}`, "g")] as const,
]);
/** How many characters may be passed for that, in all: about a second. */
const PASSED_MAX = 200_000_000;
const UNCLOSED_MAX = 200;
const UNCLOSED_REFERENCES_MAX = 1_000;
const LINE_CHARACTERS_MAX = 10_000;

/** Why a text is not read as AsciiDoc: completes "the page …". Undefined for all that people write. */
export function whyOutsized(text: string): string | undefined {
  if (text.length > CHARACTERS_MAX) return `has more than ${CHARACTERS_MAX} characters`;
  const tooMany = COUNTED.find(([, pattern, max]) => hasMore(text, pattern, max));
  if (tooMany !== undefined) return `has too many ${tooMany[0]}`;
  if (text.split("\n").some((line) => line.length > LINE_CHARACTERS_MAX))
    return `has a line of more than ${LINE_CHARACTERS_MAX} characters`;
  let [brackets, references, passed] = [0, 0, 0];
  for (const run of text.split(/\n[ \t]*\n/)) {
    brackets += countOf(run.slice(lastClosing(run) + 1), "[");
    references += countOf(run.slice(run.lastIndexOf(">>") + 1), "<<");
    passed += passedInVain(run);
  }
  if (passed > PASSED_MAX) return "has too many marks that are not closed";
  return brackets > UNCLOSED_MAX || references > UNCLOSED_REFERENCES_MAX
    ? "has too many brackets that are not closed"
    : undefined;
}

/** How many characters are passed from marks that are not closed. */
function passedInVain(run: string): number {
  let passed = 0;
  for (const [opening, closing] of SPANS) {
    let closed = -1;
    for (const { index } of run.matchAll(closing)) closed = index;
    for (const { index } of run.matchAll(opening)) if (index > closed) passed += run.length - index;
  }
  return passed;
}

function hasMore(text: string, pattern: RegExp, max: number): boolean {
  let count = 0;
  for (const _ of text.matchAll(pattern)) if (++count > max) return true;
  return false;
}

const countOf = (text: string, sign: string) => text.split(sign).length - 1;

/** Where the last bracket is closed that is not escaped. */
function lastClosing(text: string): number {
  let at = text.lastIndexOf("]");
  while (at > 0 && text[at - 1] === "\\") at = text.lastIndexOf("]", at - 1);
  return at;
}
