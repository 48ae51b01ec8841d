import { unescaped } from "@docent/kernel/text/entities";

/** What stands in the parentheses of a link. */
export interface ParsedTarget {
  href: string;
  title: string | undefined;
  /** Where it ends. */
  end: number;
}

const CHARACTERS_MAX = 2000;
const PARENTHESES_MAX = 32;
const SPACE = /[ \t\n]*/y;
const ANGLED = /<((?:[^<>\\\n]|\\.){0,2000})>/y;
const BEGUN_TITLE = /^["'(][\s\S]{0,500}$/;
const TITLE =
  /[ \t\n]+(?:"((?:[^"\\]|\\[\s\S]){0,500})"|'((?:[^'\\]|\\[\s\S]){0,500})'|\(((?:[^()\\]|\\[\s\S]){0,500})\))/y;

/**
 * Reads the parentheses that open at `start`. `unfinished` where the text ended before they did; undefined where they
 * are no target.
 */
export function parseTarget(text: string, start: number): ParsedTarget | "unfinished" | undefined {
  const from = skip(text, start + 1);
  const angled = match(ANGLED, text, from);
  const end = angled ? from + angled[0].length : text[from] === "<" ? undefined : bareEnd(text, from);
  if (end === undefined) return text.length - from > CHARACTERS_MAX ? undefined : "unfinished";
  const title = match(TITLE, text, end);
  const close = skip(text, end + (title?.[0].length ?? 0));
  if (text[close] !== ")")
    return close >= text.length || BEGUN_TITLE.test(text.slice(close)) ? "unfinished" : undefined;
  const words = title?.[1] ?? title?.[2] ?? title?.[3];
  const href = unescaped(angled?.[1] ?? text.slice(from, end));
  return { href, title: words && unescaped(words), end: close + 1 };
}

/** Where an address without angle brackets ends: at a space, or at a parenthesis that it did not open. */
function bareEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length && at - start <= CHARACTERS_MAX; at++) {
    const character = text[at] ?? "";
    if (character === "\\") at++;
    else if (character <= " ") return at;
    else if (character === "(" && ++depth > PARENTHESES_MAX) return undefined;
    else if (character === ")" && depth-- === 0) return at;
  }
  return undefined;
}

const skip = (text: string, at: number) => at + (match(SPACE, text, at)?.[0].length ?? 0);

/** What a sticky expression finds at a place. */
export function match(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
