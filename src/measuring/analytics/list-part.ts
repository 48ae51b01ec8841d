import { readCursor, writeCursor } from "@docent/kernel/lib/cursor";
import { z } from "zod";
import type { ListPlace } from "./stores.ts";

/** Which part of a list is asked for. */
export interface PartQuery {
  limit: number;
  /** `nextCursor` of the previous part; undefined for the first. */
  cursor?: string | undefined;
}

/** Cuts off the one row too many that was asked for to learn whether there are more. */
export function cutPart<Row>(rows: Row[], limit: number, cursorOf: (last: Row) => string) {
  const part = rows.slice(0, limit);
  const last = part.at(-1);
  const hasMore = rows.length > limit;
  return { part, nextCursor: hasMore && last !== undefined ? cursorOf(last) : null, hasMore };
}

const placeSchema = z
  .tuple([z.int().nonnegative(), z.string().max(100)])
  .transform(([at, id]): ListPlace => ({ at, id }));

/** Writes the place where the next part of a list by time begins. */
export const writeListPlace = ({ at, id }: ListPlace) => writeCursor([at, id]);

/** The place that a cursor stands for; undefined without one. */
export const readListPlace = (cursor: string | undefined) =>
  cursor === undefined ? undefined : readCursor(placeSchema, cursor);
