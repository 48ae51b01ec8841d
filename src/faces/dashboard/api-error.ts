import { isRecord } from "@docent/kernel/text/json";
import { sentence } from "./text.ts";

/** What one field of a request has wrong. */
interface FieldFault {
  path: string;
  message: string;
}

/** A request that the server refused, or that did not reach it (status 0). */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string;
  readonly details: readonly FieldFault[];

  constructor(given: {
    status: number;
    code: string;
    message: string;
    hint?: string | undefined;
    requestId?: string;
    details?: readonly FieldFault[];
    cause?: unknown;
  }) {
    super(given.message, { cause: given.cause });
    this.status = given.status;
    this.code = given.code;
    this.hint = given.hint;
    this.requestId = given.requestId ?? "";
    this.details = given.details ?? [];
  }
}

/** The error that a reply is. What does not come from Docent, a proxy's page for one, is told by its status. */
export function apiErrorOf(status: number, body: unknown, requestId: string | null): ApiError {
  const said = isRecord(body) ? body : {};
  return new ApiError({
    status,
    code: textOf(said["code"]) ?? "internal",
    message: textOf(said["message"]) ?? `The server answered with ${status}.`,
    hint: textOf(said["hint"]),
    requestId: textOf(said["requestId"]) ?? requestId ?? "",
    details: faultsOf(said["details"]),
  });
}

/** The server was not reached. */
export const offlineError = (cause?: unknown) =>
  new ApiError({
    status: 0,
    code: "offline",
    message: "Docent could not be reached.",
    hint: "Check your connection and that the server runs, then try again.",
    cause,
  });

/** What to show of any error: that of the server, or that something here went wrong. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({
    status: 0,
    code: "internal",
    message: "Something went wrong in this page.",
    hint: "Reload it. If it happens again, the browser's console says more.",
    cause: error,
  });
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function faultsOf(details: unknown): FieldFault[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((each: unknown) => {
    const message = isRecord(each) ? textOf(each["message"]) : undefined;
    return isRecord(each) && message ? [{ path: String(each["path"] ?? ""), message }] : [];
  });
}

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

/** Names the place in a list that a path leads to: `[2]` is number 3. */
function numberOf(path: string, field: string): string {
  const index = /^(?:\[|\.)(\d+)/.exec(path.slice(field.length))?.[1];
  return index === undefined ? "" : `number ${Number(index) + 1} `;
}
