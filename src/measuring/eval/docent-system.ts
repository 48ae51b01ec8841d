import type { Hit, Search, SearchQuery } from "@docent/finding/search/search";
import { readOutline } from "@docent/reading/markdown/md/md";
import type { SetPassages } from "./datasets/datasets.ts";
import { canonicalPath, type Ranked, type System } from "./question.ts";

/** Pages are ranked by their best passage, and one page may have many. */
const PASSAGES_MAX = 50;

/** A Docent index, and the embedder of its vectors. */
interface DocentIndex {
  search: Search;
  siteId: number;
  /** The embedder's name, for the report. */
  embedder: string;
  /** Where its passages stand in the set's files; undefined where the set has no spans. */
  places: SetPassages | undefined;
}

/** Docent's search by keywords only, by meaning only, as readers have it, and with and without a part of it. */
export function docentSystems(
  index: DocentIndex,
): Record<"keyword" | "nearest" | "fused" | "uncorrected" | "enriched" | "unenriched", System> {
  return {
    keyword: createDocentSystem("keyword", index, { keyword: true, nearest: false }),
    nearest: createDocentSystem(`nearest ${index.embedder}`, index, { keyword: false, nearest: true }),
    fused: createDocentSystem(`fused ${index.embedder}`, index, undefined),
    uncorrected: createDocentSystem("without corrections", index, { corrections: false }),
    enriched: createDocentSystem("with enrichment", index, { enrichment: true }),
    unenriched: createDocentSystem("without enrichment", index, { enrichment: false }),
  };
}

function createDocentSystem(
  name: string,
  { search, siteId, places }: DocentIndex,
  parts: SearchQuery["parts"],
): System {
  const toRanked = ({ path, anchor, relevance, markdown }: Hit): Ranked => ({
    path: canonicalPath(path),
    // Short sections are joined into one passage, which is cited by the first of them.
    anchors: () => [anchor, ...readOutline(markdown).sections.map((section) => section.anchor)],
    relevance,
    ranges: () => places?.locate(path)?.(markdown) ?? [],
  });
  return {
    name,
    passages: places?.all ?? [],
    async rank({ text, filter }) {
      const { hits } = await search.find({
        siteId,
        audience: "everything",
        text,
        filter,
        parts,
        pageSize: PASSAGES_MAX,
      });
      return hits.map(toRanked);
    },
  };
}
