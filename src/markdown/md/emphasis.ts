import { hideCode, outsideFences } from "../../text/code-spans.ts";

/** Letters of scripts in which words stand beside emphasis without a space. */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** That of these scripts: beside a Latin word it has no space either. */
const WIDE_PUNCTUATION = /[\u3001-\u303F\uFF01-\uFF65]/;
const STRONG = /(?<![*\\])\*\*(?![\s*])([^*\n]{1,500})(?<![\s\\])\*\*(?!\*)/g;
const LEADING = /^[\p{P}\p{S}]+/u;
const TRAILING = /[\p{P}\p{S}]+$/u;
/** A link, a tag or code, whose marks can't be taken apart. */
const BEGINS_WHOLE = /^(?:!?\[|<|\uE000|\\)/;
const ENDS_WHOLE = /(?:\]\([^()]*\)|[\]>\uE001]|\\.)$/;

/**
 * Moves punctuation out of strong emphasis where Markdown would show the stars: `は**「重要」**です` has no emphasis by its
 * rules, because they were made for words with spaces between them.
 */
export function mendEmphasis(markdown: string): string {
  if (!markdown.includes("**") || !SPACELESS.test(markdown)) return markdown;
  return outsideFences(markdown, (words) => {
    if (!words.includes("**")) return words;
    const { hidden, show } = hideCode(words);
    return show(
      hidden.replace(STRONG, (source: string, inside: string, start: number) =>
        mended(source, inside, {
          before: lastOf(hidden, start),
          after: firstOf(hidden, start + source.length),
        }),
      ),
    );
  });
}

const firstOf = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 10);
const lastOf = (text: string, end: number) =>
  Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? "\n";

interface Around {
  before: string;
  after: string;
}

function mended(source: string, inside: string, { before, after }: Around): string {
  const leads = isBlocked(before, firstOf(inside, 0));
  const trails = isBlocked(after, lastOf(inside, inside.length));
  if (!leads && !trails) return source;
  // What can't be taken apart is better without emphasis than with stars.
  if ((leads && BEGINS_WHOLE.test(inside)) || (trails && ENDS_WHOLE.test(inside))) return inside;
  const [lead = ""] = (leads && LEADING.exec(inside)) || [];
  const [trail = ""] = (trails && TRAILING.exec(inside.slice(lead.length))) || [];
  const words = inside.slice(lead.length, inside.length - trail.length);
  return words.trim() === words && words !== "" ? `${lead}**${words}**${trail}` : inside;
}

/** Whether stars between these two begin or end no emphasis. */
const isBlocked = (outside: string, inside: string) =>
  SPACELESS.test(outside)
    ? PUNCTUATION.test(inside) || /[\uE000\uE001]/.test(inside)
    : WIDE_PUNCTUATION.test(inside) && /[\p{L}\p{N}]/u.test(outside);
