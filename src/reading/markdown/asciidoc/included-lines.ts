/** The lines of a file that an include asks for with `lines`, `tag` or `tags`. */
interface IncludedLines {
  lines: string[];
  /** Whether less than the whole file was asked for. */
  isPart: boolean;
  /** Tags that were asked for and are not there. */
  missing: string[];
}

const TAG_LINE = /(?:^|[^\w\\])(tag|end)::(\S+?)\[\](?=$|[\s*/<#-])/;

/** Chooses the lines of an included file. Those that mark a tag are never among them where tags are asked for. */
export function includedLines(text: string, asked: Readonly<Record<string, unknown>>): IncludedLines {
  const lines = text.replace(/\n$/, "").split("\n");
  const [ranges, tags] = [asked["lines"], asked["tag"] ?? asked["tags"]];
  if (typeof ranges === "string" && ranges.trim() !== "")
    return { lines: linesInRanges(lines, ranges), isPart: true, missing: [] };
  if (typeof tags === "string" && tags.trim() !== "") return taggedLines(lines, readTags(tags));
  return { lines, isPart: false, missing: [] };
}

/** `1..5;7;10..-1` */
function linesInRanges(lines: readonly string[], ranges: string): string[] {
  const wanted = new Set<number>();
  for (const range of ranges.split(/[;,]/)) {
    const [, from = "", dots, to = ""] = /^(\d*)\s*(?:(\.\.)\s*(-?\d*))?$/.exec(range.trim()) ?? [];
    const first = Math.max(1, Number(from || 1));
    const last =
      dots === undefined ? Number(from) : to === "" || to.startsWith("-") ? lines.length : Number(to);
    for (let line = first; line <= Math.min(last, lines.length); line++) wanted.add(line);
  }
  return lines.filter((_, index) => wanted.has(index + 1));
}

/** Which tags are wanted: `a;!b`, with `*` for all others and `**` for what is outside of any. */
function readTags(written: string): Map<string, boolean> {
  const tags = new Map<string, boolean>();
  for (const each of written.split(/[;,]/)) {
    const name = each.trim();
    if (name === "" || name === "!") continue;
    if (name.startsWith("!")) tags.set(name.slice(1), false);
    else tags.set(name, true);
  }
  return tags;
}

/** What is taken of lines that no tag surrounds, and of those in a tag that is not named. */
function usualChoice(tags: Map<string, boolean>): { outside: boolean; others: boolean | undefined } {
  const [all, every] = [tags.get("**"), tags.get("*")];
  const first = [...tags.keys()][0];
  tags.delete("**");
  tags.delete("*");
  if (all !== undefined) {
    const isRefused = !all && [...tags.values()][0] === false;
    return { outside: all, others: every ?? (isRefused ? true : undefined) };
  }
  if (every !== undefined) return { outside: first === "*" && !every, others: every };
  return { outside: ![...tags.values()].includes(true), others: undefined };
}

function taggedLines(lines: readonly string[], tags: Map<string, boolean>): IncludedLines {
  const { outside, others } = usualChoice(tags);
  const open: { name: string; isTaken: boolean }[] = [];
  const found = new Set<string>();
  const taken: string[] = [];
  for (const line of lines) {
    const isTaken = open.at(-1)?.isTaken ?? outside;
    const [whole, kind, name = ""] = line.includes("::") ? (TAG_LINE.exec(line) ?? []) : [];
    if (whole === undefined) {
      if (isTaken) taken.push(line);
    } else if (kind === "end") {
      const at = open.findLastIndex((each) => each.name === name);
      if (at >= 0) open.splice(at, 1);
    } else {
      const wanted = tags.get(name);
      if (wanted !== undefined) open.push({ name, isTaken: wanted });
      else if (others !== undefined)
        open.push({ name, isTaken: open.length > 0 && !isTaken ? false : others });
      found.add(name);
    }
  }
  const missing = [...tags].flatMap(([name, wanted]) => (wanted && !found.has(name) ? [name] : []));
  return { lines: taken, isPart: true, missing };
}
