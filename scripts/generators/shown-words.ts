import type { DocsSite } from "../../src/reading/generators/generators.ts";
import { lostWords } from "../../src/reading/markdown/kept-words/kept-words.ts";
import { type ParsedPage, parsePage } from "../../src/reading/markdown/page.ts";

/** A page as its generator shows it, and as Docent does. */
export interface ComparedPage {
  path: string;
  /** What was published, a line for each block. */
  lines: readonly string[];
  page: ParsedPage;
}

/** Reads the pages of a site that were published, as a run reads them. */
export async function comparePages(
  site: DocsSite,
  published: Readonly<Record<string, readonly string[]>>,
): Promise<ComparedPage[]> {
  const compared: ComparedPage[] = [];
  for (const docsPage of site.pages) {
    const { path } = docsPage;
    const lines = published[path];
    if (lines === undefined) continue;
    const { data, markdown } = await site.read(docsPage);
    const source = `---\n${JSON.stringify(data)}\n---\n${markdown}`;
    compared.push({ path, lines, page: parsePage(source, { fallbackTitle: path }) });
  }
  return compared;
}

/** What is lacking on a page, in words. */
export const LACKING = {
  "words inside of sentences": ({ path, lines, page }: ComparedPage): string[] =>
    lostWords({ text: lines.join("\n\n"), format: "txt" }, page).map(
      ({ words, context }) => `${path}: ${words} (${context})`,
    ),
  negations: ({ path, lines, page }: ComparedPage): string[] => {
    const shown = shownWords(page).filter(isNegation);
    const lacking = wordsOf(lines.join("\n")).filter((word) => isNegation(word) && !takeOne(shown, word));
    return lacking.map((word) => `${path}: ${word}`);
  },
  "numbers with what they count": ({ path, lines, page }: ComparedPage): string[] => {
    const words = shownWords(page);
    const numbered = listItems(page).flatMap((item) => countsIn(wordsOf(item)));
    const shown = new Set([...words, ...countsIn(words), ...numbered]);
    const counts = lines
      .filter((line) => !LINE_NUMBERS.test(line))
      .flatMap((line) => countsIn(wordsOf(line)));
    return counts.filter((count) => !shown.has(count)).map((count) => `${path}: ${count}`);
  },
};

/** Words that stand more often in what was published than in what is shown, each with the line that it is lacking in. */
export function lackingWords({ path, lines, page }: ComparedPage): string[] {
  const left = new Map<string, number>();
  const numbers = listItems(page).flatMap((item) => wordsOf(item).slice(0, 1));
  for (const word of [...shownWords(page), ...numbers, ...addressWords(page)])
    left.set(word, (left.get(word) ?? 0) + 1);
  return lines.flatMap((line) => {
    const lacking = wordsOf(line).filter((word) => {
      const count = left.get(word) ?? 0;
      left.set(word, count - 1);
      return count <= 0;
    });
    return lacking.length === 0 ? [] : [`${path}: ${lacking.join(" ")} (${line.slice(0, LINE_SHOWN)})`];
  });
}

const LINE_SHOWN = 120;

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
const NEGATION =
  /^(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|except|unless|only|don|doesn|isn)$/;
/** Numbers of lines stand beside code, and those of a list before its items. */
const LINE_NUMBERS = /^[\d\s().]+$/;

/** An accent by itself would be one of the letter behind it. */
const wordsOf = (text: string): string[] =>
  text.replaceAll("\u00B4", "'").normalize("NFKC").toLowerCase().match(WORD) ?? [];
const isNegation = (word: string) => NEGATION.test(word);

const shownWords = ({ title, passages }: ParsedPage): string[] =>
  wordsOf([title, ...passages.flatMap(({ headingPath, text }) => [...headingPath, text])].join("\n"));

/** The lines that begin with their number in a list. */
const listItems = ({ passages }: ParsedPage): string[] =>
  passages.flatMap(({ markdown }) => markdown.match(/^[ >]*(?:[-*] +)*\d{1,9}[.)](?: .*)?$/gm) ?? []);

/** Where links lead is shown with them. */
const addressWords = ({ passages }: ParsedPage): string[] =>
  passages.flatMap(({ markdown }) =>
    [...markdown.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, to = ""]) => wordsOf(to)),
  );

function takeOne(words: string[], wanted: string): boolean {
  const at = words.indexOf(wanted);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
}

/** Each number with the word behind it. */
const countsIn = (words: readonly string[]): string[] =>
  words.flatMap((word, index) => (/\d/.test(word) ? [`${word} ${words[index + 1] ?? ""}`.trim()] : []));
