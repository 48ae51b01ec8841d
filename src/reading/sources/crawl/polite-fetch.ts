import { type Clock, MINUTE_MS, systemClock } from "@docent/kernel/lib/clock";
import { FetchFault } from "@docent/kernel/lib/guarded-fetch/fetch-fault";
import type {
  GuardedFetch,
  GuardedRequest,
  GuardedResponse,
} from "@docent/kernel/lib/guarded-fetch/guarded-fetch";
import { systemRandom } from "@docent/kernel/lib/ids";
import { sleep as systemSleep } from "@docent/kernel/lib/sleep";

const WORTH_ANOTHER_TRY = [500, 502, 504];

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const ATTEMPTS_MAX = 4;

/** How a server is spared. */
export interface PoliteOptions {
  get: GuardedFetch;
  /** Before the second attempt; twice as long before each further one. */
  backoffMs?: number;
  /** The longest pause that a server's Retry-After can ask for. */
  retryAfterMsMax?: number;
  sleep?: Sleep;
  random?: () => number;
  clock?: Clock;
}

interface PoliteRequest extends GuardedRequest {
  /** How often it is sent, at most, when it fails for a reason that may pass. */
  attempts?: number;
}

/** Gets things from one server with patience. */
export interface PoliteFetch {
  /** The last reply, whatever its status. Throws a FetchFault where there was none. */
  get(url: string, request: PoliteRequest): Promise<GuardedResponse>;
  /** From now on requests begin this far apart. */
  keepApart(ms: number): void;
}

export function createPoliteFetch(options: PoliteOptions): PoliteFetch {
  const { backoffMs = 1000, retryAfterMsMax = 60_000 } = options;
  const { sleep = systemSleep, random = systemRandom, clock = systemClock } = options;
  let apartMs = 0;
  /** Opens when the next request may begin. */
  let gate = Promise.resolve();
  /** What the server said when it took no more requests: it is asked for nothing until then. */
  let closed: Closed | undefined;

  return {
    keepApart(ms) {
      apartMs = ms;
    },

    async get(url, request) {
      for (let attempt = 1; ; attempt++) {
        await pass(request.signal);
        if (closed !== undefined && clock() < closed.until) return closed.reply;
        const outcome = await attemptOnce(url, request);
        closed = closedBy(outcome, clock() + retryAfterMsMax) ?? closed;
        if (closed?.reply === outcome) return outcome;
        if (!isWorthAnotherTry(outcome) || attempt >= (request.attempts ?? ATTEMPTS_MAX)) {
          if (outcome instanceof FetchFault) throw outcome;
          return outcome;
        }
        const pause = sleep(pauseMs(outcome, attempt), request.signal);
        if (isOverloaded(outcome)) gate = joined(gate, pause);
        await pause;
      }
    },
  };

  async function pass(signal: AbortSignal): Promise<void> {
    const mine = gate;
    if (apartMs > 0) gate = joined(mine.then(() => sleep(apartMs, signal)));
    await mine;
    signal.throwIfAborted();
  }

  async function attemptOnce(url: string, request: PoliteRequest): Promise<GuardedResponse | FetchFault> {
    try {
      return await options.get(url, request);
    } catch (cause) {
      if (cause instanceof FetchFault) return cause;
      throw cause;
    }
  }

  function pauseMs(outcome: GuardedResponse | FetchFault, attempt: number): number {
    const asked = outcome instanceof FetchFault ? undefined : pauseAskedMs(outcome, clock);
    if (asked !== undefined) return Math.min(asked, retryAfterMsMax);
    return backoffMs * 2 ** (attempt - 1) * (0.5 + random());
  }
}

interface Closed {
  reply: GuardedResponse;
  until: number;
}

/** A server that says that it opens again only after a time. */
function closedBy(outcome: GuardedResponse | FetchFault, after: number): Closed | undefined {
  if (outcome instanceof FetchFault) return undefined;
  const until = opensAt(outcome);
  return until !== undefined && until > after ? { reply: outcome, until } : undefined;
}

/** Waits for all of them, and passes no failure on: whoever waits at the gate looks at its own signal. */
const joined = (...waits: Promise<unknown>[]): Promise<void> => Promise.allSettled(waits).then(() => {});

function isWorthAnotherTry(outcome: GuardedResponse | FetchFault): boolean {
  return outcome instanceof FetchFault
    ? outcome.kind === "unreachable" || outcome.kind === "timeout"
    : WORTH_ANOTHER_TRY.includes(outcome.status) || isAskedTooMuch(outcome);
}

/** Whether a reply says that the server has too much to do: then every request to it waits, not this one alone. */
const isOverloaded = (outcome: GuardedResponse | FetchFault) =>
  !(outcome instanceof FetchFault) && isAskedTooMuch(outcome);

/** Most servers say by their status that they are asked too much. GitHub says it with 403, and that it is meant in a header or in words. */
export function isAskedTooMuch({ status, headers, body }: GuardedResponse): boolean {
  if (status === 429 || status === 503) return true;
  return status === 403 && (headers.has("retry-after") || isSpent(headers) || saysLimit(body));
}

/** How long the server asks to wait; undefined where it does not say. */
function pauseAskedMs(reply: GuardedResponse, clock: Clock): number | undefined {
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
