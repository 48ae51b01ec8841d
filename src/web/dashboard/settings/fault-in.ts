import type { ApiError } from "../api-error.ts";

/** What the server said of a field, or of something in it: of `settings.origins`, also of `settings.origins[2]`. */
export function faultIn(error: ApiError | undefined, path: string): string | undefined {
  const own = error?.details.find((detail) => isWithin(detail.path, path));
  return own && (own.path === path ? own.message : `${numberOf(own.path, path)}${own.message}`);
}

/** Whether the server's error is told beside a field, of those that are shown. */
export const isToldBeside = (error: ApiError, paths: readonly string[]) =>
  error.details.length > 0 &&
  error.details.every((detail) => paths.some((path) => isWithin(detail.path, path)));

const isWithin = (path: string, field: string) =>
  path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`);

/** The third of a list is told as number 3. */
function numberOf(path: string, field: string): string {
  const index = /^(?:\[|\.)(\d+)/.exec(path.slice(field.length))?.[1];
  return index === undefined ? "" : `Number ${Number(index) + 1} `;
}
