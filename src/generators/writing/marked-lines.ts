import { asDiff } from "./code.ts";

/** A comment that only says how lines of code are shown: `// [!code ++]`. */
const MARK =
  /\s*(?:\/\/|\/\*|<!--|#|--|%{1,2}|;{1,2}|"|\{\/\*)?\s*\[!code\s+([^\]]+?)\]\s*(?:\*\/\}?|-->)?[ \t]*/;

/** Code as readers see it: without its marks, and as a diff where lines are marked as new or gone. */
export function shownCode(
  language: string,
  written: readonly string[],
): { language: string; lines: readonly string[] } {
  if (!written.some((line) => line.includes("[!code"))) return { language, lines: written };
  const lines: string[] = [];
  const added = new Set<number>();
  const removed = new Set<number>();
  for (const line of written) {
    const [mark, said = ""] = MARK.exec(line) ?? [];
    if (mark === undefined) {
      lines.push(line);
      continue;
    }
    const rest = line.replace(MARK, "");
    const isAlone = rest.trim() === "";
    // A mark on a line of its own is about those below it.
    const first = lines.length + 1;
    const count = Number(/:(\d{1,4})$/.exec(said)?.[1] ?? 1);
    for (let each = first; each < first + count; each++) {
      if (said.startsWith("++")) added.add(each);
      else if (said.startsWith("--")) removed.add(each);
    }
    if (!isAlone) lines.push(rest);
  }
  if (added.size + removed.size === 0) return { language, lines };
  return { language: "diff", lines: asDiff(lines, added, removed) };
}
