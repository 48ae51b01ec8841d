import type { LinkingPage } from "@docent/finding/search/keyword-index/segment-store";
import { namedLinksIn } from "@docent/reading/markdown/destinations";
import { type LinkBase, resolveLink } from "@docent/sites/pages/page-link";

/** A page with what its links are resolved by. */
export interface LinkingRow extends LinkBase {
  /** Of its source: in one, the pages of all versions and languages have paths of their own, and link to each other. */
  version: string;
  language: string;
  markdown: string;
}

/** A link may leave out what an address ends in, or have what it leaves out. */
const ENDING = /\/index\.html?$|\.html?$/i;

/** A page's links to other pages, as its readers follow them: within the version and language of its source. */
export function toLinkingPage({ version, language, markdown, ...base }: LinkingRow): LinkingPage {
  const addressOf = (path: string) => JSON.stringify([path.replace(ENDING, ""), version, language]);
  const links = namedLinksIn(markdown).flatMap(({ href, text }) => {
    const target = resolveLink(href, base);
    return target?.kind === "page" ? [{ to: addressOf(target.path), text }] : [];
  });
  return { address: addressOf(base.path), links };
}
