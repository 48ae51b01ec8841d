import { type Clock, MINUTE_MS } from "@docent/kernel/lib/clock";
import type { GuardedResponse } from "@docent/kernel/lib/guarded-fetch/guarded-fetch";

/** Most servers say by their status that they are asked too much. GitHub says it with 403, and that it is meant in a header or in words. */
export function isAskedTooMuch({ status, headers, body }: GuardedResponse): boolean {
  if (status === 429 || status === 503) return true;
  return status === 403 && (headers.has("retry-after") || isSpent(headers) || saysLimit(body));
}

/** How long the server asks to wait; undefined where it does not say. */
export function pauseAskedMs(reply: GuardedResponse, clock: Clock): number | undefined {
  const value = reply.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (!Number.isNaN(at)) return Math.max(0, at - clock());
  const opens = opensAt(reply);
  // Its clock may be behind this one.
  if (opens !== undefined) return Math.max(SECOND_MS, opens - clock());
  return isAskedTooMuch(reply) && saysLimit(reply.body) ? MINUTE_MS : undefined;
}

const SECOND_MS = 1_000;

/** When a server takes requests again that are now more than it allows; undefined where it is not so, or not said. */
export function opensAt(reply: GuardedResponse): number | undefined {
  const reset = reply.headers.get("x-ratelimit-reset")?.trim() ?? "";
  const isSaid = isSpent(reply.headers) && /^\d{10}$/.test(reset);
  return isSaid && isAskedTooMuch(reply) ? Number(reset) * 1000 : undefined;
}

const isSpent = (headers: Headers) => headers.get("x-ratelimit-remaining")?.trim() === "0";

const BYTES_LOOKED_AT = 1_000;
const LIMIT = /"message":\s*"[^"]{0,200}\b(?:rate limit|abuse detection)\b/i;

const saysLimit = (body: Uint8Array) =>
  LIMIT.test(new TextDecoder().decode(body.subarray(0, BYTES_LOOKED_AT)));
