import type { z } from "zod";
import { AppError } from "../errors.ts";
import { jsonIn } from "../text/json.ts";

/** Longer than any cursor that a list returns. */
export const CURSOR_CHARACTERS_MAX = 10_000;

/** A position in a list as opaque text for the client to send back. */
export function writeCursor(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** The values of a cursor. Raises `invalid_request` for one that `writeCursor` did not write. */
export function readCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  const result = schema.safeParse(jsonIn(Buffer.from(cursor, "base64url").toString()));
  if (result.success) return result.data;
  const message = "is not one that this list gave: send the nextCursor of a part before, or leave it out";
  throw new AppError("invalid_request", `cursor: ${message}`, { details: [{ path: "cursor", message }] });
}
