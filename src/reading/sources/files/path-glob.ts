const BRACES = /[{}]/g;
const STARS_IN_NAME = /(?<=[^/*])\*{2,}|\*{2,}(?=[^/*])|\*{3,}/g;

/** A pattern of a .gitignore that ends in a slash is for folders alone. */
export function foldersNamed(pattern: string): { name: string; foldersOnly: boolean } {
  const foldersOnly = pattern.endsWith("/");
  return { name: foldersOnly ? pattern.slice(0, -1) : pattern, foldersOnly };
}

/**
 * What a pattern of a .gitignore matches below its folder: with a slash in it or before it, from there; without, at any
 * depth. Bun.Glob does the matching, and not a regular expression: what is read may come from strangers, and no pattern
 * takes it long.
 */
export function pathGlob(name: string): Bun.Glob {
  const below = name.replace(/^\//, "").replace(STARS_IN_NAME, "*").replace(BRACES, "\\$&");
  return new Bun.Glob(name.includes("/") ? below.replace(/^!/, "\\!") : `**/${below}`);
}
