import { isBlank } from "./lines.ts";

/** A section's title, with the adornment that decides its level. */
interface RstTitle {
  words: string;
  /** The character of its lines, doubled where there is an overline too. */
  adornment: string;
  /** The line after it. */
  end: number;
}

/** The title that begins on a line, if one does. */
export function titleAt(lines: readonly string[], index: number): RstTitle | undefined {
  const line = lines[index] ?? "";
  const next = lines[index + 1] ?? "";
  const over = adornmentOf(line);
  if (over !== undefined) {
    const isTitle =
      !isBlank(next) &&
      adornmentOf(next) === undefined &&
      (lines[index + 2] ?? "").trimEnd() === line.trimEnd();
    return isTitle ? { words: next.trim(), adornment: over + over, end: index + 3 } : undefined;
  }
  const under = adornmentOf(next);
  if (under === undefined || isBlank(line) || /^\s/.test(line)) return undefined;
  const longEnough = next.trimEnd().length >= Math.min(4, line.trimEnd().length);
  return longEnough ? { words: line.trim(), adornment: under, end: index + 2 } : undefined;
}

/** The character of a line that only repeats one punctuation character. */
export function adornmentOf(line: string): string | undefined {
  const text = line.trimEnd();
  const first = text.charAt(0);
  if (text.length < 2 || !/[!-/:-@[-`{-~]/.test(first) || text === "::" || text === "..") return undefined;
  for (const character of text) if (character !== first) return undefined;
  return first;
}

/**
 * The anchor that docutils makes of a title or label: lower-case ASCII letters and digits, hyphens for the
 * rest.
 */
export function docutilsId(words: string): string {
  return words
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\x20-\x7e\s]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]+|(?<!-)-+$/g, "");
}
