import type { Hit } from "../search/search.ts";

/**
 * What a result is fetched by: its address within the site, and its version and language, which published addresses often
 * do not tell.
 */
export function idOf({ href, version, language }: Pick<Hit, "href" | "version" | "language">): string {
  const [page = "", fragment = ""] = href.split(/(?=#)/);
  const marks = new URLSearchParams({ ...(version && { version }), ...(language && { language }) });
  return `${page}${marks.size > 0 ? `?${marks}` : ""}${fragment}`;
}

/** The version and the language in an id. */
export function marksIn(id: string): { version: string | undefined; language: string | undefined } {
  const marks = new URLSearchParams(/\?([^#]*)/.exec(id)?.[1] ?? "");
  return { version: marks.get("version") ?? undefined, language: marks.get("language") ?? undefined };
}
