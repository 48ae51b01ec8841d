import { Elysia } from "elysia";
import { AppError, type ErrorCode, toAppError } from "../errors.ts";
import type { Log } from "../lib/log.ts";

/** What each code is in HTTP. */
export const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
};

/** When to come back, for an error that does not know better. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { unavailable: 30, rate_limited: 60 };

/** How an error's body reads. */
type ErrorBody = (error: AppError, requestId: string) => object;

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
    const known = code === "NOT_FOUND" ? noRoute(allowedAt(path, request)) : toAppError(error);
    const requestId = String(set.headers["x-request-id"] ?? "");
    // Not the path: the id of a thread, or the name of a reader, may be in it.
    const fields = { requestId, method: request.method, route, error: known.cause ?? known };
    if (known.code === "internal") log.error("a request failed", fields);
    else if (known.code === "unavailable")
      log.warn("a request could not be served", { ...fields, hint: known.hint });
    // For those who look at the reply after it left: that of an error is not shown to them.
    set.status = STATUS[known.code];
    return errorResponse(known, requestId, bodyAt(path) ?? plainBody);
  });
}

const noRoute = (allowed: readonly string[]) =>
  allowed.length === 0 ? new AppError("not_found", "Not found") : wrongMethod(allowed);

/** The answer to a request that another method would be answered for. */
export const wrongMethod = (allowed: readonly string[]) =>
  new AppError("method_not_allowed", `This address answers ${allowed.join(", ")} alone.`, { allowed });

/** The reply to an error: JSON that reads well even where a client shows the whole body to its reader. */
function errorResponse(error: AppError, requestId: string, bodyOf: ErrorBody): Response {
  const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8" };
  if (error.code === "unauthorized") headers["www-authenticate"] = "Bearer";
  if (error.allowed.length > 0) headers["allow"] = error.allowed.join(", ");
  const retryAfter = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS[error.code];
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return new Response(JSON.stringify(bodyOf(error, requestId)), { status: STATUS[error.code], headers });
}

const plainBody: ErrorBody = ({ message, code, details }, requestId) => ({
  error: message,
  message,
  code,
  requestId,
  ...(details.length > 0 ? { details } : {}),
});
