import { hrefOf } from "@docent/reading/page/page-path";
import type { PageStore } from "../pages/pages.ts";
import type { Site } from "../site/sites.ts";
import { factsOf } from "./fidelity/fidelity.ts";

/** What citations of a page lead to. */
export interface CitedPage {
  /** The page, from the site's root. */
  href: string;
  /** Places on it. */
  anchors: string[];
}

/** Says what citations of a page lead to; undefined where readers see none at the path. */
export type FindCited = (
  site: Pick<Site, "id" | "url" | "settings">,
  path: string,
) => Promise<CitedPage | undefined>;

const ANCHORS_MAX = 25;

export const createFindCited =
  (pages: Pick<PageStore, "findPages">): FindCited =>
  async ({ id, url: siteUrl, settings }, path) => {
    const [page] = await pages.findPages(id, path, "everything");
    if (page === undefined || page.hidden) return undefined;
    const base = { path, location: page.location, siteUrl };
    const { headings } = await factsOf(page.markdown, { base, anchors: settings.anchors });
    const anchors = [...new Set(headings.map(({ anchor }) => anchor))].filter((anchor) => anchor !== "");
    const step = Math.max(1, anchors.length / ANCHORS_MAX);
    const some = Array.from(
      { length: Math.min(ANCHORS_MAX, anchors.length) },
      (_, index) => anchors[Math.floor(index * step)],
    );
    return {
      href: hrefOf({ path, anchor: "", location: page.location }),
      anchors: some.flatMap((each) => each ?? []),
    };
  };
