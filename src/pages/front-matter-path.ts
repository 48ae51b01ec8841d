import { decodePath, normalizePath } from "./page-path.ts";

const PATH_CHARACTERS_MAX = 500;

/**
 * The path of a page that names it in its front matter, as Docusaurus, Hugo and Jekyll read it: `/a/b` is the whole
 * path, `b`, `./b` and `../b` are read from the page's folder. What generators read differently (`a/b`) or fill in
 * themselves (`/:year/:title`) changes nothing.
 */
export function pathFromFrontMatter(path: string, data: Record<string, unknown>): string {
  for (const name of ["slug", "permalink", "url"]) {
    const written = data[name];
    if (typeof written !== "string" || written.length > PATH_CHARACTERS_MAX) continue;
    const chosen = chosenPath(path, written.trim(), name);
    if (chosen !== undefined) return chosen;
  }
  return path;
}

function chosenPath(path: string, written: string, name: string): string | undefined {
  const isWhole = /^\/(?!\/)/.test(written);
  const isRelative = name === "slug" && (/^\.{1,2}\//.test(written) || /^[^/]+$/.test(written));
  if ((!isWhole && !isRelative) || /[:*?#\\]/.test(written)) return undefined;
  const url = URL.parse(written, `http://site.invalid/${path}`);
  return url === null ? undefined : decodePath(normalizePath(url.pathname));
}
