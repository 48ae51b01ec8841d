import { type Explanation, explainedPassageJson, explanationJson } from "@docent/finding/search/explain";
import { relevanceMinOf } from "@docent/finding/search/search";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { plainAddress } from "@docent/kernel/text/site-url";
import { normalizePath } from "@docent/reading/page/page-path";
import { ledgerEntryJson } from "@docent/sites/ingest/json";
import { type InventoryPage, inventoryEntryJson } from "@docent/sites/pages/inventory";
import { spellingsOf } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import { pageFilterSchema, readPageFilter } from "../request/fields.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { readerGroups } from "./readers/readers.ts";
import { explanationShape } from "./shapes.ts";

const LEDGER_SHOWN = 10;
const explainSchema = z
  .strictObject({
    /** Searches as a reader in these groups does. Without them: in all pages. */
    groups: readerGroups,
    question: z.string().trim().min(1).max(10_000),
    filter: pageFilterSchema.nullish(),
    /** How many passages an answer is written from. Default: the site's own number. */
    pageSize: z.int().min(1).max(20).optional(),
    /** A page that should be found: a path, or its address. */
    path: z.string().max(2000).optional(),
  })
  .meta({ id: "Explain" });

/** The operation that explains what a question finds. */
export function explainOperations(
  options: Pick<AdminOptions, "search" | "inventory" | "ledger" | "settings">,
  guards: AdminGuards,
): Operation[] {
  const { search } = options;
  return [
    adminOperation({
      id: "explainSearch",
      method: "POST",
      path: "/v1/admin/sites/:domain/explain",
      tag: "Admin: pages",
      guard: guards.reads,
      summary: "Explain what a question finds",
      description: "The search that answers begin with, step by step; and where one page stands in it.",
      example: { question: "How do I install it?", path: "install" },
      replies: gives(200, "What was searched for, and what was found.", explanationShape),
      body: explainSchema,
      async run({ site, body }) {
        const { id: siteId, settings } = site();
        const { question, filter, groups, pageSize = settings.pageSize, path: written } = await body();
        const wanted = written === undefined ? undefined : await findWanted(options, site(), written);
        const pages = (wanted?.pages ?? []).map(({ id, hidden, content }) => ({
          id,
          hidden,
          passageIds: content.map((passage) => passage.id),
        }));
        const asked = { audience: groups ?? ("everything" as const), filter: readPageFilter(filter ?? {}) };
        const query = { siteId, text: question, ...asked, pageSize };
        const found = await search.explain(query, pages);
        const least = relevanceMinOf(site(), options.settings);
        const best = bestOf(found);
        return reply({
          ...explanationJson(found),
          gate: { relevanceMin: least, best, passes: best >= least },
          pageSize,
          page: wanted === undefined ? null : pageJson(wanted, found),
        });
      },
    }),
  ];
}

interface Wanted {
  path: string;
  pages: InventoryPage[];
  ledger: Parameters<typeof ledgerJson>[0][];
}

/** The pages that somebody means by a path or an address, and what was noted where there are none. */
async function findWanted(
  { inventory, ledger }: Pick<AdminOptions, "inventory" | "ledger">,
  { id, url }: Site,
  written: string,
): Promise<Wanted> {
  const path = pathOf(written, url);
  for (const each of new Set([written, ...spellingsOf(path)])) {
    const pages = await inventory.at(id, each);
    if (pages.length > 0) return { path: each, pages, ledger: await ledger.about(id, each, LEDGER_SHOWN) };
  }
  return { path, pages: [], ledger: await ledger.about(id, path, LEDGER_SHOWN) };
}

/** The path of a page, from what a person has copied: with slashes, an ending, or the site's address before it. */
function pathOf(written: string, siteUrl: string | undefined): string {
  const address = /^https?:\/\//i.test(written) ? URL.parse(plainAddress(siteUrl, written)) : null;
  if (address === null) return normalizePath(written);
  const root = (URL.parse(siteUrl ?? "")?.pathname ?? "").replace(/\/$/, "");
  const isBelow = root !== "" && `${address.pathname}/`.startsWith(`${root}/`);
  return normalizePath(decodePercent(isBelow ? address.pathname.slice(root.length) : address.pathname));
}

function pageJson({ path, pages, ledger }: Wanted, found: Explanation) {
  const standings = new Map(found.pages.map((page) => [page.pageId, page]));
  return {
    path,
    pages: pages.flatMap((page) => {
      const own = standings.get(page.id);
      if (own === undefined) return [];
      const ranked = own.passages.map(explainedPassageJson);
      return [{ ...inventoryEntryJson(page), standing: own.standing, ranked }];
    }),
    ledger: ledger.map(ledgerJson),
  };
}

const ledgerJson = ({ source, ...entry }: Awaited<ReturnType<AdminOptions["ledger"]["about"]>>[number]) => ({
  ...ledgerEntryJson(entry),
  source,
});

/** The relevance that the gate judges by: the best of the passages that would be shown. */
const bestOf = ({ passages }: Explanation) =>
  Math.max(0, ...passages.filter(({ standing }) => standing === "listed").map(({ relevance }) => relevance));
