import type { ApiError } from "./api-error.ts";
import { sentence } from "./text.ts";

/** What the server said of a field, or of something in it: of `settings.origins`, also of `settings.origins[2]`. */
export function faultOf(error: ApiError | undefined, field: string): string | undefined {
  const own = error?.details.find(({ path }) => isWithin(path, field));
  return own && sentence(numberOf(own.path, field) + own.message);
}

/** Whether the server's error is told beside a field, of those that are shown. */
export const isToldBeside = (error: ApiError, fields: readonly string[]) =>
  error.details.length > 0 &&
  error.details.every(({ path }) => fields.some((field) => isWithin(path, field)));

const isWithin = (path: string, field: string) =>
  path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);

/** The third of a list is told as number 3. */
function numberOf(path: string, field: string): string {
  const index = /^(?:\[|\.)(\d+)/.exec(path.slice(field.length))?.[1];
  return index === undefined ? "" : `number ${Number(index) + 1} `;
}
