import { z } from "zod";
import { AppError } from "../errors.ts";
import type { Place } from "./period.ts";

/** A place in a list as text that means nothing to whoever sends it back. */
export function writeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a cursor. Raises `invalid_request` for one that was not written here. */
export function readCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const result = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (result.success) return result.data;
  const message = "is not one that this list gave";
  throw new AppError("invalid_request", `cursor: ${message}`, { details: [{ path: "cursor", message }] });
}

const placeSchema = z
  .tuple([z.int().nonnegative(), z.string().max(100)])
  .transform(([at, id]): Place => ({ at, id }));

/** Where the next part of a list by time begins. */
export const cursorAt = ({ at, id }: Place) => writeCursor([at, id]);

export const placeOf = (cursor: string | undefined) =>
  cursor === undefined ? undefined : readCursor(placeSchema, cursor);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
