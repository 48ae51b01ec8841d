import type { PageFile, WrittenRight } from "./page-file.ts";

/** What of a page says who may read it. */
export type RightsOfPage = Pick<PageFile, "spaces" | "name" | "rights">;

/** Those that a page is for although it is for a group: everyone who has signed in, and everyone. */
const EVERYONE = /(?:^|[.:])(?:XWikiAllGroup|XWikiGuest)$/;

/**
 * Says which pages everyone may read. A right to read that is given to some is taken from all others; one on the
 * preferences of a space holds for all that is in it.
 */
export function readRights(pages: readonly RightsOfPage[]): (page: RightsOfPage) => boolean {
  const closed = new Set<string>();
  for (const page of pages) {
    const isPreferences = page.name === "WebPreferences";
    const isWiki = page.name === "XWikiPreferences";
    if (isClosed(page.rights.filter(({ isForSpace }) => isForSpace)) && (isPreferences || isWiki))
      closed.add(isWiki ? "" : keyOf(page.spaces));
  }
  return ({ spaces, rights }) =>
    !closed.has("") &&
    !isClosed(rights.filter(({ isForSpace }) => !isForSpace)) &&
    !spaces.some((_, index) => closed.has(keyOf(spaces.slice(0, index + 1))));
}

const keyOf = (spaces: readonly string[]) => JSON.stringify(spaces);

function isClosed(rights: readonly WrittenRight[]): boolean {
  const reading = rights.filter(({ levels }) => levels.includes("view"));
  const isDenied = reading.some(({ isAllowed }) => !isAllowed);
  const isOpen = reading.some(({ isAllowed, whom }) => isAllowed && whom.some((name) => EVERYONE.test(name)));
  return reading.length > 0 && (isDenied || !isOpen);
}
