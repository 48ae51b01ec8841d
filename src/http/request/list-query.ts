import { z } from "zod";
import { CURSOR_CHARACTERS_MAX } from "../../lib/cursor.ts";
import { describedAs } from "./described-input.ts";
import { periodFields } from "./period-query.ts";

const LIMIT = 100;
const LIMIT_MAX = 1000;

const limitNumber = z.int().min(1).max(LIMIT_MAX);
const limit = describedAs(
  z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from 1 to ${LIMIT_MAX}`)
    .transform(Number)
    .pipe(limitNumber),
  limitNumber,
);

/** Where in a list to go on. */
export const cursorField = describedAs(
  z.string().max(CURSOR_CHARACTERS_MAX),
  z.base64url().max(CURSOR_CHARACTERS_MAX),
).optional();

/** The fields of a query that asks for a part of a list. */
export const listFields = {
  ...periodFields,
  limit: limit.default(LIMIT),
  cursor: cursorField,
};
