import { snippet } from "@docent/kernel/text/snippet";
import { hrefOf } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import {
  choosePage,
  findByWrittenPath,
  type Page,
  type PageFilter,
  type PageStore,
} from "@docent/sites/pages/pages";
import { SNIPPET_CHARACTERS_MAX } from "../choose-hits.ts";
import type { Hit } from "../search.ts";
import type { Candidate, SearchStore } from "../search-store.ts";
import { joinedSections } from "../sections/sections.ts";
import { plainWords } from "./plain-words.ts";
import { type PageSection, sectionOf } from "./section-of.ts";

export type { PageSection } from "./section-of.ts";

export interface PageQuery {
  siteId: number;
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  /** As stored, or as a link writes it. */
  path: string;
  /** Reads from this heading on. From the top where it is undefined, or the page has no such heading. */
  heading?: string | undefined;
  filter?: PageFilter | undefined;
  /** Which of several pages of one path is read where the filter does not say. */
  defaults: PageFilter;
  passages: number;
}

/** A passage that was read and not searched for: how well it answers is not known. */
type ReadPassage = Omit<Hit, "score" | "relevance">;

/** Reads pages section by section, as search finds them. */
export interface PagePassages {
  /** The sections in order, in the generation that readers see; empty where readers see no such page. */
  read(query: PageQuery): Promise<{ generation: number; passages: ReadPassage[] }>;
}

interface PagePassagesDeps {
  pages: Pick<PageStore, "findPages">;
  store: Pick<SearchStore, "state" | "passagesOf">;
}

export function createPagePassages({ pages, store }: PagePassagesDeps): PagePassages {
  return {
    async read({ siteId, audience, path, heading, filter = {}, defaults, passages: most }) {
      const { generation } = await store.state(siteId);
      const found = (await findByWrittenPath(pages, siteId, path, audience)).filter(({ hidden }) => !hidden);
      const page = choosePage(found, filter, defaults);
      if (page === undefined) return { generation, passages: [] };
      const all = await store.passagesOf({ siteId, generation, audience, filter }, page.id);
      const start = heading === undefined ? 0 : Math.max(0, startOf(all, heading));
      return { generation, passages: joinedSections(all.slice(start, start + most)).map(toRead) };
    },
  };
}

/** Reads sections of pages. */
export interface PageSections {
  /** The section of a heading, by its words or its anchor; undefined where readers see no such one on the page. */
  read(query: SectionQuery): Promise<PageSection | undefined>;
}

interface SectionQuery {
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  page: Pick<Page, "id" | "siteId">;
  heading: string;
}

export const createPageSections = (store: PagePassagesDeps["store"]): PageSections => ({
  async read({ audience, page: { id, siteId }, heading }) {
    const { generation } = await store.state(siteId);
    return sectionOf(await store.passagesOf({ siteId, generation, audience, filter: {} }, id), heading);
  },
});

/** The first passage under a heading of that name; otherwise under one that has the name in it. */
function startOf(passages: readonly Candidate[], heading: string): number {
  const wanted = plainWords(heading);
  if (wanted === "") return -1;
  const named = passages.map(({ headings, innerHeadings }) =>
    [...headings, ...innerHeadings.flatMap(({ headingPath }) => headingPath)].map(plainWords),
  );
  const exact = named.findIndex((names) => names.includes(wanted));
  return exact >= 0 ? exact : named.findIndex((names) => names.some((name) => name.includes(wanted)));
}

const toRead = (passage: Candidate): ReadPassage => ({
  ...passage,
  headingsAbove: passage.headings,
  anchorAbove: passage.anchor,
  hasWords: false,
  snippet: snippet(passage.text, SNIPPET_CHARACTERS_MAX),
  href: hrefOf(passage),
});
