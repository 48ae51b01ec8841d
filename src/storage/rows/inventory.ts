import type {
  InventoryEntry,
  InventoryPage,
  InventoryPassage,
  InventoryPlace,
} from "@docent/sites/pages/inventory";
import { z } from "zod";
import type { RowOf } from "./fields.ts";
import { readStrings } from "./json.ts";

export type InventoryRow = RowOf<InventoryEntry>;

export type InventoryPageRow = InventoryRow & {
  description: string | null;
  tagsJson: string;
  groupsJson: string;
};

export type InventoryPassageRow = RowOf<Omit<InventoryPassage, "headings">> & { headingsJson: string };

export interface InventoryPlaceRow {
  location: string;
  path: string;
  title: string;
  frontMatterJson: string;
}

/** Front matter is what a page's author wrote: anything may stand there. */
const madeOfSchema = z.lazy(() => z.object({ original: z.string(), pages: z.int().positive() }));

export function toInventoryPlace({ frontMatterJson, ...row }: InventoryPlaceRow): InventoryPlace {
  const madeOf = madeOfSchema.safeParse(JSON.parse(frontMatterJson));
  return { ...row, documentPages: madeOf.data?.pages };
}

export const toInventoryEntry = (row: InventoryRow): InventoryEntry => ({ ...row, hidden: row.hidden === 1 });

export function toInventoryPage(
  { tagsJson, groupsJson, description, hidden, ...row }: InventoryPageRow,
  passages: readonly InventoryPassageRow[],
): InventoryPage {
  return {
    ...row,
    hidden: hidden === 1,
    description: description ?? undefined,
    tags: readStrings(tagsJson),
    groups: readStrings(groupsJson),
    content: passages.map(({ headingsJson, hasVector, ...passage }) => ({
      ...passage,
      headings: readStrings(headingsJson),
      hasVector: hasVector === 1,
    })),
  };
}
