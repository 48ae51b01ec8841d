const RANGE_MAX = 20;
/** What models call a passage, in the languages in which they answer. */
export const PASSAGE_NAMES = [
  ..."passage,source,document,doc,reference,ref,citation,cite,excerpt,quelle,abschnitt,fuente,fonte".split(
    ",",
  ),
  ..."bron,källa,źródło,zdroj,kaynak,источник,джерело,来源,來源,引用,段落,文档,文件,出典,資料,출처,문서".split(
    ",",
  ),
];
const CALLED = `(?:${PASSAGE_NAMES.join("|")})(?:s|n)?(?!\\p{L})[\\s:#_.]*`;
const NUMBER = "\\^?[1-9]\\d{0,2}(?:†[^\\[\\]【】\\n]{0,40})?";
const JOINT = "\\s*(?:[,;&–、-]|and|und|et|y|и|和)\\s*";
const NUMBERS = `${NUMBER}(?:${JOINT}(?:${CALLED})?${NUMBER})*`;
/** The text between the brackets: `1`, `1, 3`, `2-4`, `^1`, `Passage 1`, `citation:1`, `1†source`. */
const CITATION = new RegExp(`^\\s*(?:${CALLED})?${NUMBERS}\\s*$`, "iu");
const NAMED = new RegExp(`^\\s*${CALLED}${NUMBERS}\\s*$`, "iu");
/** A passage with its title: `Passage 1: Install`. */
const TITLED = new RegExp(`^(\\s*${CALLED}${NUMBER})\\s*[:–—-]\\s[^\\n]{1,80}$`, "iu");

/** The distinct numbers that the text inside brackets cites; undefined where it is not a citation. */
export function citedNumbers(inside: string): number[] | undefined {
  // Some models nest brackets: [[1]], [[1], [2]].
  const plain = inside.replace(/[[\]]/g, "");
  if (CITATION.test(plain)) return numbersIn(plain);
  const titled = TITLED.exec(plain)?.[1];
  return titled === undefined ? undefined : numbersIn(titled);
}

/** The same for a text that must call them passages. */
export const namedNumbers = (inside: string): number[] | undefined =>
  NAMED.test(inside) ? numbersIn(inside) : undefined;

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
/** A variable, as examples name it: no word of so few letters is cited. */
const VARIABLE_AT_END = /(?:^|[^\p{L}\p{N}\p{M}_$'’.\]])[a-z]$/u;
/** A footnote behind a word of the docs, and its mark. */
const FOOTNOTE = /[\p{L}\p{N}]{1,60}[.,;:!?)"”’]{0,2}\[\^\d{1,3}\]/gu;
const NOTED_AT_END = /[\p{L}\p{N}]{1,60}[.,;:!?)"”’]{0,2}$/u;
const USED_AS_CODE = /^(?:\.[a-z_]| =)/;
/** Brackets that may hold an index or a footnote: most hold the words of a link. */
const MAY_BE_INDEX = /\[[\d,:–\s^-]/;
/** How many characters after the brackets tell an index. */
export const AFTER_INDEX_CHARACTERS = 2;

/** What looks like citations in a text, but takes values out of lists, or leads to footnotes of the docs. */
export function indexesIn(text: string): string[] {
  if (!MAY_BE_INDEX.test(text)) return [];
  const footnotes = [...text.matchAll(FOOTNOTE)].map(([found]) => found);
  const indexes = [...text.matchAll(INDEX)].flatMap(([found]) =>
    [...found.matchAll(/\]/g)].map(({ index }) => found.slice(0, index + 1)),
  );
  return [...indexes, ...footnotes];
}

/**
 * Whether brackets are an index of code in a model's prose, or a footnote that it quotes. Citations stand directly behind
 * words as well, so it takes a proof: the docs write the same, the value is used, or a variable is all that is before it.
 */
export function isIndex(
  { before, inside, after }: { before: string; inside: string; after: string },
  known: ReadonlySet<string>,
): boolean {
  const pattern = inside.startsWith("^") ? NOTED_AT_END : INDEXED_AT_END;
  const list = pattern.exec(before)?.[0];
  if (list === undefined) return false;
  const isVariable = /^\d+$/.test(inside) && VARIABLE_AT_END.test(before);
  return isVariable || known.has(`${list}[${inside}]`) || USED_AS_CODE.test(after);
}
