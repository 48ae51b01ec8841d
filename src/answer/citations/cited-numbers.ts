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
