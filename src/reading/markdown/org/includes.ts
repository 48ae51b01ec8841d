import { readHeading } from "./outline.ts";

/** A file that is included. */
interface Included {
  location: string;
  text: string;
}

/** Finds a file that is included by another one; a string completes "<target>, which it includes, …" otherwise. */
type ReadOrgIncluded = (target: string, from: string) => Promise<Included | string>;

const INCLUDES_MAX = 200;
const DEEP_MAX = 10;
const CHARACTERS_MAX = 2_000_000;
const INCLUDE = /^[ \t]*#\+include:[ \t]*(?:"([^"]{1,1000})"|(\S{1,1000}))[ \t]*(.*)$/i;
/** Of a file that is included, these say nothing of the page. */
const OWN_KEYWORD =
  /^[ \t]*#\+(?:title|subtitle|author|email|date|options|description|keywords|startup|language|filetags):/i;
const TODOS = { todos: new Set(["TODO", "DONE"]) };

interface Reading {
  include: ReadOrgIncluded;
  faults: string[];
  left: { includes: number; characters: number };
}

/** A page with what it includes. Files lie where `include` finds them, and nowhere else. */
export async function withOrgIncludes(
  source: string,
  { location, include }: { location: string; include: ReadOrgIncluded },
): Promise<{ text: string; faults: string[] }> {
  if (!/^[ \t]*#\+include:/im.test(source)) return { text: source, faults: [] };
  const reading: Reading = {
    include,
    faults: [],
    left: { includes: INCLUDES_MAX, characters: CHARACTERS_MAX },
  };
  return { text: (await expand(source, [location], reading)).join("\n"), faults: reading.faults };
}

async function expand(source: string, above: readonly string[], reading: Reading): Promise<string[]> {
  const lines: string[] = [];
  let level = 0;
  let isVerbatim = false;
  for (const line of source.split("\n")) {
    if (/^[ \t]*#\+begin_(?:src|example|export|comment)\b/i.test(line)) isVerbatim = true;
    else if (/^[ \t]*#\+end_(?:src|example|export|comment)\b/i.test(line)) isVerbatim = false;
    level = readHeading(line, TODOS)?.level ?? level;
    const include = isVerbatim ? null : INCLUDE.exec(line);
    if (include === null) lines.push(line);
    else for (const each of await included(include, above, level, reading)) lines.push(each);
  }
  return lines;
}

async function included(
  [, quoted, bare, rest = ""]: RegExpExecArray,
  above: readonly string[],
  level: number,
  reading: Reading,
): Promise<string[]> {
  const { faults, left } = reading;
  const [target = "", search = ""] = (quoted ?? bare ?? "").replace(/^file:/, "").split("::");
  const refuse = (why: string): string[] => {
    faults.push(`${target.slice(0, 300)}, which it includes, ${why}`);
    return [];
  };
  left.includes -= 1;
  if (left.includes < 0) return left.includes === -1 ? refuse("is one of too many") : [];
  if (/^(?:https?|ftp):/i.test(target)) return refuse("is elsewhere, and nothing is fetched");
  if (above.length > DEEP_MAX) return refuse("is nested too deeply");
  const found = await reading.include(target, above.at(-1) ?? "");
  if (typeof found === "string") return refuse(found);
  if (above.includes(found.location)) return refuse("includes itself");
  left.characters -= found.text.length;
  if (left.characters < 0) return refuse("makes the page too long");
  const chosen = someLines(found.text.split("\n"), /:lines[ \t]+"?(\d*)-(\d*)"?/.exec(rest));
  const block = /^(src|example|export|quote|verse|center)\b[ \t]*([^:\n]*)/.exec(rest);
  if (block !== null) {
    const name = block[1] ?? "";
    const escaped = chosen.map((line) =>
      /^[ \t]*(?:\*|#\+|,)/.test(line) ? line.replace(/^([ \t]*)/, "$1,") : line,
    );
    return [`#+BEGIN_${name} ${block[2] ?? ""}`, ...escaped, `#+END_${name}`];
  }
  if (!/\.org$/i.test(found.location)) return chosen.filter((line) => !/^\*+ /.test(line));
  const whole = await expand(partOf(chosen, search).join("\n"), [...above, found.location], reading);
  return shifted(
    whole.filter((line) => !OWN_KEYWORD.test(line)),
    level,
    rest,
  );
}

function someLines(lines: string[], asked: RegExpExecArray | null): string[] {
  if (asked === null) return lines;
  const [, from = "", to = ""] = asked;
  // The last line that is named is not among them.
  return lines.slice(from === "" ? 0 : Number(from) - 1, to === "" ? undefined : Number(to) - 1);
}

/** The section that is asked for: by its heading, or by its `CUSTOM_ID`. */
function partOf(lines: string[], search: string): string[] {
  const wanted = search.replace(/^[*#]/, "").trim();
  if (wanted === "") return lines;
  let from = -1;
  let level = 0;
  for (const [at, line] of lines.entries()) {
    const heading = line.startsWith("*") ? readHeading(line, TODOS) : undefined;
    const isId = search.startsWith("#") && /^[ \t]*:CUSTOM_ID:[ \t]*/i.test(line);
    if (from >= 0 && heading !== undefined && heading.level <= level) return lines.slice(from, at);
    if (from < 0 && heading !== undefined && !search.startsWith("#") && heading.words === wanted)
      [from, level] = [at, heading.level];
    if (from < 0 && isId && line.replace(/^.*?:CUSTOM_ID:/i, "").trim() === wanted) {
      from = lines.slice(0, at).findLastIndex((each) => /^\*+ /.test(each));
      level = /^\*+/.exec(lines[from] ?? "")?.[0].length ?? 0;
    }
  }
  return from < 0 ? [] : lines.slice(from);
}

/** Headings of what is included stand below the one above it. */
function shifted(lines: string[], level: number, rest: string): string[] {
  const least = Number(/:minlevel[ \t]+(\d{1,2})/.exec(rest)?.[1] ?? level + 1);
  const own = lines.reduce((lowest, line) => Math.min(lowest, /^(\*+) /.exec(line)?.[1]?.length ?? 99), 99);
  const more = Math.max(-own + 1, least - own);
  const moved = lines.map((line) =>
    /^\*+ /.test(line) ? (more >= 0 ? "*".repeat(more) + line : line.slice(-more)) : line,
  );
  return /:only-contents[ \t]+t\b/.test(rest)
    ? moved.slice(moved.findIndex((line) => /^\*+ /.test(line)) + 1)
    : moved;
}
