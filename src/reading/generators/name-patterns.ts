/**
 * Files by their names, in any folder. `{a,b}` is one of several, `*` a part of a name, `**` of a path, and `@` a name
 * that is the same each time.
 */
export type Pattern = string;

/** Where in a location a name begins that is looked for. */
export type Finder = (location: string) => number | undefined;

/** What a pattern with `{a,b}` stands for, in order. */
export function spelled(pattern: Pattern): string[] {
  const [whole, before = "", inside = "", after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return whole === undefined
    ? [pattern]
    : inside.split(",").flatMap((each) => spelled(`${before}${each}${after}`));
}

const SIGNS: Readonly<Record<string, string>> = { "{": "(?:", "}": ")", ",": "|", "*": "[^/]*", "**": ".*" };

/** Finds the longest name that is one of these. Most files are told by the last part of theirs. */
export function finderOf(patterns: readonly Pattern[]): Finder {
  const ends = [...new Set(patterns.flatMap(spelled).map(nameOf))];
  const end = new RegExp(`^(?:${ends.map(partOf).join("|")})$`);
  const whole = new RegExp(`(?<=^|/)(?:${patterns.map(partOf).join("|")})$`);
  return (location) => (end.test(nameOf(location)) ? whole.exec(location)?.index : undefined);
}

/** Says of a location whether its name is one of these. */
export function matcherOf(patterns: readonly Pattern[]): (location: string) => boolean {
  const find = finderOf(patterns);
  return (location) => find(location) !== undefined;
}

function partOf(pattern: Pattern): string {
  const written = pattern.replace(/\*\*|[{},*]|[.]/g, (sign) => SIGNS[sign] ?? `\\${sign}`);
  if (!written.includes("@")) return written;
  return written.replace("@", "([^/]+)").replaceAll("@", "\\1");
}

const nameOf = (location: string) => location.slice(location.lastIndexOf("/") + 1);
