import type { Language } from "./language.ts";
import { languageOf } from "./languages.ts";

const CHARACTERS_MAX = 100_000;

/** Cuts code into tokens; put together they are the code again. Code of a language that is not known is plain. */
export function highlight(code: string, language: string): CodeToken[] {
  if (code === "") return [];
  return (code.length <= CHARACTERS_MAX && tokensOf(code, language)) || [{ kind: "plain", text: code }];
}

/** Wraps the words of an element's code in spans with the classes `hl-comment`, `hl-keyword` and so on. */
export function paint(code: HTMLElement, language: string): void {
  const painted = highlight(code.textContent ?? "", language).map(({ kind, text }) => {
    if (kind === "plain") return text;
    const span = document.createElement("span");
    span.className = `hl-${kind}`;
    span.textContent = text;
    return span;
  });
  code.replaceChildren(...painted);
}

/** A piece of code of one kind. */
interface CodeToken {
  kind: "comment" | "keyword" | "string" | "number" | "name" | "plain";
  text: string;
}

const NUMBER = "\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\w*%?";
const WORD = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
/** An expression that matches nothing. */
const NEVER = "(?!)";
const CAPITAL = /^[A-Z]\w*[a-z]/;

/** A language made ready for reading: one expression and its keywords. */
interface Grammar {
  /** Groups: comment, name, string, what is a keyword by its look, number, word. */
  expression: RegExp;
  keywords: ReadonlySet<string>;
}

const grammars = new Map<Language, Grammar>();

/** The tokens of code; undefined where the language is not known. */
function tokensOf(code: string, name: string): CodeToken[] | undefined {
  const language = languageOf(name);
  return language && cut(code, language, grammarOf(language));
}

function cut(code: string, language: Language, { expression, keywords }: Grammar): CodeToken[] {
  const tokens: CodeToken[] = [];
  let plain = 0;
  const add = (kind: CodeToken["kind"], from: number, to: number) => {
    if (plain < from) tokens.push({ kind: "plain", text: code.slice(plain, from) });
    tokens.push({ kind, text: code.slice(from, to) });
    plain = to;
  };
  for (const found of code.matchAll(expression)) {
    const [text, comment, name, string, mark, number] = found;
    const end = found.index + text.length;
    if (comment !== undefined) add("comment", found.index, end);
    else if (name !== undefined) add("name", found.index, end);
    else if (string !== undefined) add("string", found.index, end);
    else if (mark !== undefined) add("keyword", found.index, end);
    else if (number !== undefined) add("number", found.index, end);
    else if (keywords.has(language.ignoresCase ? text.toLowerCase() : text)) add("keyword", found.index, end);
    else if (language.hasCalls && (code[end] === "(" || CAPITAL.test(text))) add("name", found.index, end);
  }
  if (plain < code.length) tokens.push({ kind: "plain", text: code.slice(plain) });
  return tokens;
}

function grammarOf(language: Language): Grammar {
  const known = grammars.get(language);
  if (known) return known;
  const { comment, name, string, mark, keywords = "", isProse } = language;
  const sources = [comment, name, string, mark, ...(isProse ? [] : [NUMBER, WORD])];
  const expression = new RegExp(sources.map((source) => `(${source ?? NEVER})`).join("|"), "gmu");
  const grammar = { expression, keywords: new Set(keywords.split(" ")) };
  grammars.set(language, grammar);
  return grammar;
}
