import type { Doubt, Known, Statement } from "./statement.ts";

/** What a reader puts something of their own in the place of. */
const PLACEHOLDER =
  /[<>…{}$*]|\.\.\.|^(?:your|my|some|foo|bar|example|path|file|name)|your[-_]|my[-_]|example|^["']|^[A-Z_]*(?:YOUR|MY)_/i;
const OPTION = /^--?\w/;
/** A word that only code has. */
const IDENTIFIER = /^-{1,2}[a-z]|[_/@]|\p{L}\.\p{L}|\p{Ll}\p{Lu}|^[A-Z]+_|\p{L}-?\d|::/u;
/** A word that is written like a name. */
const NAME = /^[A-Z][\p{L}\d]*[a-z\d]|^[A-Z]{2,}/u;
/** What every reader knows, and the docs may say in other words. */
const COMMON_NAME =
  /^(?:URLs?|URIs?|APIs?|HTTPS?|IDs?|UIs?|CLIs?|OS|CPUs?|GPUs?|RAM|IPs?|TVs?|PCs?|SSD|OK|FAQ|JSON|YAML|HTML|SQL|SSL|TLS|DNS|SSH|I|Markdown|English|Unix|Linux|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Sunday)$/;
const SENTENCE_START = /(?:^|[.!?:;"“„(]\s*|\n\s*)$/;
const NAME_CHARACTERS_MIN = 3;

/** The names of a statement that what is cited has not: options, paths, codes, products. Nor has the question them. */
export function nameDoubts({ question, passages }: Known, statement: Statement): Doubt[] {
  const { text, isCode, code, cited } = statement;
  const told = [question.toLowerCase(), ...cited.map((each) => each.text)].join("\n");
  const everything = [told, ...passages.map((each) => each.text)].join("\n");
  const coded = (isCode ? text.split("\n") : code).flatMap(wordsOfCode);
  const lost = [
    ...coded.filter((word) => !isTold(told, word)),
    ...(isCode ? [] : namesIn(statement).filter((word) => !isTold(everything, word))),
  ];
  return [...new Set(lost)].map((what) => ({ kind: "name", what }));
}

/** The words of a line of code that are facts: not the values that a reader chooses. */
function wordsOfCode(line: string): string[] {
  const words = line.replace(/\s(?:#|\/\/)\s.*$/, "").split(/[\s,;()[\]=|]+/);
  return words
    .filter((word, at) => OPTION.test(word) || !OPTION.test(words[at - 1] ?? ""))
    .map((word) => word.replace(/^["'`]+|["'`:.]+$/g, ""))
    .filter(
      (word) =>
        word.length > 1 &&
        /[\p{L}\d]/u.test(word) &&
        !PLACEHOLDER.test(word) &&
        !/^[-\d.,:%/]+[a-zA-Z]{0,2}$/.test(word),
    );
}

function namesIn({ text, isComparable, language }: Statement): string[] {
  // A word in Latin letters is a name where the rest is not.
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}]/u.test(text);
  const hasCapitals = isComparable && language !== "de";
  return [...text.matchAll(/[\p{Script=Latin}\d_/@:.-]+/gu)].flatMap(({ 0: written, index }) => {
    const word = written.replace(/^[.:/-]*(?=[^-])|[.:/-]+$/g, "").replace(/(?<=^[A-Z]\p{L}+)-[a-z]+$/u, "");
    if (word.length < NAME_CHARACTERS_MIN || PLACEHOLDER.test(word) || /^[\d.,:/-]+$/.test(word)) return [];
    if (isUnspaced || IDENTIFIER.test(word)) return [word];
    const isName = NAME.test(word) && !COMMON_NAME.test(word) && !SENTENCE_START.test(text.slice(0, index));
    return hasCapitals && isName ? [word] : [];
  });
}

/** Whether a text has a name: as it is, in the singular, or in two parts such as a folder and its file. */
function isTold(text: string, name: string): boolean {
  const lower = name.toLowerCase();
  if (hasWord(text, lower)) return true;
  const singular = lower.replace(/(?:'s|’s|s)$/, "");
  if (singular !== lower && singular.length > 2 && hasWord(text, singular)) return true;
  const joint = Math.max(lower.lastIndexOf("/"), lower.lastIndexOf("."), lower.search(/:\d+$/));
  if (joint < 1 || lower.startsWith("-")) return false;
  return [lower.slice(0, joint), lower.slice(joint + 1)].every((part) => part === "" || hasWord(text, part));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    const isOption = before === "-" && word.startsWith("-");
    if (!isOption && ends(before, word[0]) && ends(after, word.at(-1))) return true;
  }
  return false;
}

/** Whether a word that has this letter at its end ends at that mark. */
const ends = (mark: string, letter = "") =>
  !/[\p{Script=Latin}\d_]/u.test(mark) || !/[\p{L}\d_]/u.test(letter);
