import { isForLanguage } from "@docent/sites/pages/pages";
import type { OpenAnswer } from "../turn.ts";

/** Of more, a reader's question is about few, and the headings that are nearest to it name those. */
const PAGES_MAX = 60;
/** Of all titles together: some 400 tokens. */
const CHARACTERS_MAX = 1600;

/**
 * The titles of a site's pages, for the words that the docs use: those that the reader may see, in the version and language
 * asked for. In the order of their paths, so that a prompt that begins with them stays the same. None of a larger site.
 */
export async function pageTitles({ deps, request }: OpenAnswer): Promise<string[]> {
  const { site, question } = request;
  const { defaultVersion, defaultLanguage, language } = site.settings;
  const { version, language: asked } = question.filter ?? {};
  const listed = await deps.listing.listPages({
    siteId: site.id,
    generation: site.generation,
    audience: question.audience,
    version: version ?? defaultVersion,
    language: asked ?? (defaultLanguage || language),
    under: "",
    docsOnly: true,
    limit: PAGES_MAX + 1,
  });
  if (listed.length > PAGES_MAX) return [];
  const read = listed.filter(
    (page) => isForLanguage(page, asked) && (!version || page.version === "" || page.version === version),
  );
  const titles = [...new Set(read.map(({ title }) => title))];
  return titles.join("").length > CHARACTERS_MAX ? [] : titles;
}
