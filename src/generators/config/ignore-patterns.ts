/** Says of a path whether it matches. */
export type PathMatcher = (path: string) => boolean;

const PATTERNS_MAX = 2_000;

/** Patterns as in a `.gitignore`, one a line: the last one that matches a path decides, `!` takes it back in. */
export function ignoreMatcher(patterns: string | readonly string[]): PathMatcher {
  const lines = typeof patterns === "string" ? patterns.split("\n") : patterns;
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, PATTERNS_MAX)
    .map(ruleOf);
  return (path) => rules.findLast(({ globs }) => globs.some((glob) => glob.match(path)))?.isOut ?? false;
}

function ruleOf(line: string): { globs: Bun.Glob[]; isOut: boolean } {
  const isOut = !line.startsWith("!");
  const written = line.replace(/^!/, "").replace(/^\\(?=[#!])/, "");
  const bare = written.replace(/^\/+|\/+$/g, "");
  // A slash within a pattern or before it ties it to the top folder.
  const isTied = written.startsWith("/") || bare.includes("/");
  const pattern = isTied ? bare : `**/${bare}`;
  const inside = new Bun.Glob(`${pattern}/**`);
  return { globs: written.endsWith("/") ? [inside] : [new Bun.Glob(pattern), inside], isOut };
}
