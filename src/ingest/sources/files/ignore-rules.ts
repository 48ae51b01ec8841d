const BRACES = /[{}]/g;
const STARS_IN_NAME = /(?<=[^/*])\*{2,}|\*{2,}(?=[^/*])|\*{3,}/g;
const SPACES_AT_END = /(?<![\\ ]) +$/;
const RULES_MAX = 10_000;

/** One line of an ignore file. */
interface IgnoreRule {
  glob: Bun.Glob;
  negated: boolean;
  foldersOnly: boolean;
}

export type Verdict = "out" | "in";

/** What an ignore file says of a path below its folder; undefined where it says nothing. */
export type IgnoreFile = (path: string, isFolder: boolean) => Verdict | undefined;

/**
 * Reads a file that is written like a .gitignore. Bun.Glob does the matching, and not a regular expression: what is
 * read may come from strangers, and no pattern takes it long.
 */
export function parseIgnoreFile(text: string): IgnoreFile {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/, RULES_MAX);
  const rules = lines.flatMap(parseLine).reverse();
  return (path, isFolder) => {
    const last = rules.find((rule) => (isFolder || !rule.foldersOnly) && rule.glob.match(path));
    return last && (last.negated ? "in" : "out");
  };
}

function parseLine(line: string): IgnoreRule[] {
  if (line.startsWith("#")) return [];
  const negated = line.startsWith("!");
  const pattern = line.slice(negated ? 1 : 0).replace(SPACES_AT_END, "");
  const foldersOnly = pattern.endsWith("/");
  const name = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (name === "") return [];
  const anchored = name.includes("/");
  const below = name.replace(/^\//, "").replace(STARS_IN_NAME, "*").replace(BRACES, "\\$&");
  const glob = new Bun.Glob(anchored ? below.replace(/^!/, "\\!") : `**/${below}`);
  return [{ glob, negated, foldersOnly }];
}
