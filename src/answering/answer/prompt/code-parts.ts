/** A block of code in parts: the line that opens it, and what stands between blank lines. */
interface CodeParts {
  opening: string;
  parts: string[];
}

/** Shorter code is read whole: what one part does is seldom told by that part alone. */
const WHOLE_CHARACTERS_MAX = 1500;
const PART_CHARACTERS_MIN = 300;
const FENCED = /^(`{3,}|~{3,})([^\n]*)\n([\s\S]*)\n\1[ \t]*$/;
/** Blank lines before a line that is not indented: between functions, not within one. */
const BETWEEN_PARTS = /\n(?:[ \t]*\n)+(?=\S)/;

/** Cuts long code at its blank lines; undefined where it is to be read whole. */
export function cutCode(code: string): CodeParts | undefined {
  if (code.length <= WHOLE_CHARACTERS_MAX) return undefined;
  const [, fence = "", language = "", body = ""] = FENCED.exec(code) ?? [];
  const parts: string[] = [];
  let open: string | undefined;
  for (const part of body.split(BETWEEN_PARTS)) {
    open = open === undefined ? part : `${open}\n\n${part}`;
    if (open.length < PART_CHARACTERS_MIN) continue;
    parts.push(open);
    open = undefined;
  }
  if (open !== undefined) parts.push(open);
  return parts.length > 1 ? { opening: fence + language, parts } : undefined;
}

/** The line that closes code with such an opening. */
export const closingOf = (opening: string): string => /^(?:`+|~+)/.exec(opening)?.[0] ?? "";
