/*
 * Two apostrophes are emphasis, three are strong, five are both. Which of several are meant where they do not match is
 * decided as MediaWiki does it, for each line by itself.
 */

interface Run {
  before: string;
  count: number;
}

/** A line with its marks for strong words and emphasis as HTML. */
export function writeQuotes(line: string): string {
  if (!line.includes("''")) return line;
  const runs: Run[] = [];
  let at = 0;
  for (const { 0: signs, index } of line.matchAll(/'{2,}/g)) {
    const extra = signs.length === 4 ? 1 : Math.max(0, signs.length - 5);
    runs.push({ before: line.slice(at, index) + "'".repeat(extra), count: signs.length - extra });
    at = index + signs.length;
  }
  balance(runs);
  return writeRuns(runs, line.slice(at));
}

/** One of the strong marks is an apostrophe and emphasis, where both kinds are odd. */
function balance(runs: Run[]): void {
  const strong = runs.filter(({ count }) => count !== 2).length;
  const emphasis = runs.filter(({ count }) => count !== 3).length;
  if (strong % 2 === 0 || emphasis % 2 === 0) return;
  const three = runs.filter(({ count }) => count === 3);
  const afterLetter = three.find(({ before }) => /(?:^|\s)\S$/.test(before));
  const afterWord = three.find(({ before }) => /\S\S$/.test(before));
  const meant = afterLetter ?? afterWord ?? three[0];
  if (meant === undefined) return;
  meant.before += "'";
  meant.count = 2;
}

function writeRuns(runs: readonly Run[], rest: string): string {
  const out: string[] = [];
  /** The tags that are open, the innermost last. */
  const open: ("b" | "i")[] = [];
  const toggle = (tag: "b" | "i") => {
    if (!open.includes(tag)) {
      open.push(tag);
      out.push(`<${tag}>`);
      return;
    }
    const inner = open.at(-1) === tag ? undefined : open.at(-1);
    open.splice(open.indexOf(tag), 1);
    out.push(inner === undefined ? `</${tag}>` : `</${inner}></${tag}><${inner}>`);
  };
  for (const { before, count } of runs) {
    out.push(before);
    if (count === 5) {
      const last = open.at(-1) ?? "i";
      toggle(last);
      toggle(last === "b" ? "i" : "b");
    } else toggle(count === 3 ? "b" : "i");
  }
  out.push(rest);
  while (open.length > 0) out.push(`</${open.pop()}>`);
  return out.join("");
}
