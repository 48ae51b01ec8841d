import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { inventoryEntryJson, inventoryPageJson } from "@docent/sites/pages/inventory";
import { z } from "zod";
import { gives, type Operation, reply } from "../operation.ts";
import { cursorField } from "../request/fields.ts";
import type { AdminOptions } from "./admin.ts";
import { type AdminGuards, adminOperation } from "./guard.ts";
import { indexedPageShape, pageListShape } from "./shapes.ts";

const PAGES_MAX = 500;
const listSchema = z.strictObject({
  query: z.string().max(200).default(""),
  source: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(PAGES_MAX).default(50),
  cursor: cursorField,
});
const pathSchema = z.strictObject({ path: z.string().max(2000).default("") });
const cursorSchema = z.tuple([z.string(), z.int()]).transform(([path, id]) => ({ path, id }));

/** The pages and passages in a site's index. */
export function pageOperations(
  { inventory }: Pick<AdminOptions, "inventory">,
  guards: AdminGuards,
): Operation[] {
  return [
    adminOperation({
      id: "listPages",
      method: "GET",
      path: "/v1/admin/sites/:domain/pages",
      tag: "Admin: pages",
      guard: guards.reads,
      summary: "List the pages of a site",
      description: "By path, hidden ones too. `query` is looked for in paths and titles.",
      replies: gives(200, "A part of the pages.", pageListShape),
      query: listSchema,
      async run({ site, query: asked }) {
        const { query, source, limit, cursor } = asked();
        const after = cursor === undefined ? undefined : readCursor(cursorSchema, cursor);
        const found = await inventory.list({
          siteId: site().id,
          query: query.trim(),
          source,
          after,
          limit: limit + 1,
        });
        const pages = found.slice(0, limit);
        const last = found.length > limit ? pages.at(-1) : undefined;
        return reply({
          pages: pages.map(inventoryEntryJson),
          nextCursor: last === undefined ? null : writeCursor([last.path, last.id]),
          hasMore: last !== undefined,
        });
      },
    }),
    adminOperation({
      id: "getIndexedPage",
      method: "GET",
      path: "/v1/admin/sites/:domain/page",
      tag: "Admin: pages",
      guard: guards.reads,
      summary: "Show a page with its passages",
      description: "Every version and language of a path. The first page's path is empty.",
      replies: gives(
        200,
        "The pages of that path; an empty list where there is none.",
        z.array(indexedPageShape),
      ),
      query: pathSchema,
      run: async ({ site, query }) =>
        reply((await inventory.at(site().id, query().path)).map(inventoryPageJson)),
    }),
  ];
}
