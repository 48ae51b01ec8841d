import { z } from "zod";
import { readCursor, writeCursor } from "../lib/cursor.ts";
import type { Place } from "./period.ts";

const placeSchema = z
  .tuple([z.int().nonnegative(), z.string().max(100)])
  .transform(([at, id]): Place => ({ at, id }));

/** Where the next part of a list by time begins. */
export const cursorAt = ({ at, id }: Place) => writeCursor([at, id]);

export const placeOf = (cursor: string | undefined) =>
  cursor === undefined ? undefined : readCursor(placeSchema, cursor);
