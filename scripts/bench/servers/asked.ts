import type { SearchQuery } from "../../../src/finding/search/search.ts";
import { DOMAIN, openBench } from "../retrieval/docent.ts";

/** A question, in one of the ways that people ask. */
export type Asked = Omit<SearchQuery, "siteId" | "pageSize">;

/** Docent's own search of what is in a directory, or in a PostgreSQL database. */
export interface AskedDocent {
  /** The first hits, each with where it is and how relevant. */
  hits(asked: Asked): Promise<string[]>;
  /** The text of the first hit; empty where there is none. */
  firstText(asked: Asked): Promise<string>;
  parts: Awaited<ReturnType<typeof openBench>>;
  close(): Promise<void>;
}

const HITS = 20;

export async function openAsked(data: string, databaseUrl = ""): Promise<AskedDocent> {
  const parts = await openBench(data, databaseUrl);
  let siteId: number | undefined;
  const find = async (asked: Asked) => {
    siteId ??= (await parts.people.sites.get(DOMAIN)).id;
    return (await parts.content.search.find({ siteId, pageSize: HITS, ...asked })).hits;
  };
  return {
    parts,
    hits: async (asked) =>
      (await find(asked)).map(({ path, version, language, anchor, position, relevance }) =>
        [path, anchor, version, language, position, relevance].join(" "),
      ),
    firstText: async (asked) => (await find(asked))[0]?.text ?? "",
    close: () => parts.close(),
  };
}

/** How many questions two of them answer differently. */
export async function countDifferent(
  [one, other]: readonly [AskedDocent, AskedDocent],
  questions: readonly Asked[],
  onDifferent?: (asked: Asked, one: string[], other: string[]) => void,
): Promise<number> {
  let different = 0;
  for (const asked of questions) {
    const [first, second] = [await one.hits(asked), await other.hits(asked)];
    if (Bun.deepEquals(first, second)) continue;
    different += 1;
    onDifferent?.(asked, first, second);
  }
  return different;
}
