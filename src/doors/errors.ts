import { AppError, ERROR_CODES, type ErrorCode, type FaultDetail, toAppError } from "@docent/kernel/errors";
import type { Log } from "@docent/kernel/lib/log";
import { Elysia } from "elysia";

/** What only HTTP can get wrong. */
const OF_HTTP_ALONE = ["method_not_allowed", "headers_too_large"] as const;

/** What a reply's `code` may be: each of our codes, and those that HTTP alone has. */
export const HTTP_ERROR_CODES = [...ERROR_CODES, ...OF_HTTP_ALONE] as const;
export type HttpErrorCode = (typeof HTTP_ERROR_CODES)[number];

/** What each code is in HTTP. */
export const STATUS: Record<HttpErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
};

/** When to come back, for an error that does not know better. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { unavailable: 30, rate_limited: 60 };

/** What a reply says of an error. */
export interface ToldError {
  code: HttpErrorCode;
  message: string;
  details: readonly FaultDetail[];
}

/** How an error's body reads. */
type ErrorBody = (error: ToldError, requestId: string) => object;

/** Thrown for a request that no feature has to know of. */
export class HttpError extends Error {
  readonly code: (typeof OF_HTTP_ALONE)[number];
  readonly headers: Record<string, string>;

  constructor(code: HttpError["code"], message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/** The error of a request that its address would answer if it had another method. */
export function wrongMethod(allowed: readonly string[]): HttpError {
  const methods = allowed.join(", ");
  return new HttpError("method_not_allowed", `This address answers ${methods} alone.`, { allow: methods });
}

interface ErrorPluginOptions {
  bodyAt?(path: string): ErrorBody | undefined;
  /** What may be asked at a path that has no route for what was. */
  allowedAt?(path: string, request: Request): string[];
}

/**
 * Turns whatever is thrown into a reply. Only errors of ours say what happened; anything else is "Internal error" to
 * the client, and whole in the log. It has to be used before the routes, or it does not see what they throw. Doors of
 * another protocol have errors of their own shape: `bodyAt` names it, by the path.
 */
export function errorPlugin(
  log: Log,
  { bodyAt = () => undefined, allowedAt = () => [] }: ErrorPluginOptions = {},
) {
  return new Elysia().onError({ as: "global" }, ({ error, code, set, request, path, route }) => {
    const thrown = code === "NOT_FOUND" ? noRoute(allowedAt(path, request)) : error;
    const requestId = String(set.headers["x-request-id"] ?? "");
    const reply = (told: ToldError, headers: Record<string, string>) => {
      // For those who look at the reply after it left: that of an error is not shown to them.
      set.status = STATUS[told.code];
      return errorResponse((bodyAt(path) ?? plainBody)(told, requestId), set.status, headers);
    };
    if (thrown instanceof HttpError)
      return reply({ code: thrown.code, message: thrown.message, details: [] }, thrown.headers);
    const known = toAppError(thrown);
    // Not the path: the id of a thread, or the name of a reader, may be in it.
    const fields = { requestId, method: request.method, route, error: known.cause ?? known };
    if (known.code === "internal") log.error("a request failed", fields);
    else if (known.code === "unavailable")
      log.warn("a request could not be served", { ...fields, hint: known.hint });
    return reply(known, headersOf(known, set.headers));
  });
}

const noRoute = (allowed: readonly string[]) =>
  allowed.length === 0 ? new AppError("not_found", "Not found") : wrongMethod(allowed);

function headersOf(
  { code, retryAfterSeconds }: AppError,
  given: Record<string, unknown>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  // A guard that knows more of how to come in has said it.
  if (code === "unauthorized" && given["www-authenticate"] === undefined)
    headers["www-authenticate"] = "Bearer";
  const retryAfter = retryAfterSeconds ?? RETRY_AFTER_SECONDS[code];
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return headers;
}

/** The reply to an error: JSON that reads well even where a client shows the whole body to its reader. */
const errorResponse = (body: object, status: number, headers: Record<string, string>) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
  });

const plainBody: ErrorBody = ({ message, code, details }, requestId) => ({
  error: message,
  message,
  code,
  requestId,
  ...(details.length > 0 ? { details } : {}),
});
