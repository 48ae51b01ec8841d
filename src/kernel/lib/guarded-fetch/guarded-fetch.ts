import { withoutFinalDot } from "../host-name.ts";
import type { Seal } from "../seal/seal.ts";
import { createConnect, faultOf } from "./connect.ts";
import { ACCEPTED_ENCODINGS, decompress } from "./decompress.ts";
import { createDestinations, type Destination } from "./destination.ts";
import { FetchFault } from "./fetch-fault.ts";
import { type Resolve, systemResolve } from "./host-addresses.ts";

const USER_AGENT = "Docent/1.0 (+documentation assistant)";
const REDIRECTS = [301, 302, 303, 307, 308];
/** Headers that authenticate: they go only to the origin they were given for. */
const CREDENTIAL_HEADERS = ["authorization", "cookie", "proxy-authorization"];

/** The start of a response, before its body is read. */
export interface ResponseHead {
  status: number;
  /** The final address. */
  url: string;
  headers: Headers;
}

export interface GuardedResponse extends ResponseHead {
  /** Decompressed. Empty where `wantsBody` said no. */
  body: Uint8Array;
}

export interface GuardedRequest {
  signal: AbortSignal;
  /** Default: GET. A POST, which asks servers that take questions in no other way, is never redirected. */
  method?: "GET" | "HEAD" | "POST";
  /** What a POST sends. */
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Replaces the fetch's own bound with a smaller one, which may depend on what the response says that it is. */
  bytesMax?: number | ((head: ResponseHead) => number);
  /** `manual` hands a redirect to the caller; otherwise it is followed, with every check made again. */
  redirect?: "follow" | "manual";
  /** Whether a response with this head is worth reading. */
  wantsBody?: (head: ResponseHead) => boolean;
}

/** Fetches a URL. Throws the signal's reason when aborted, and a FetchFault for everything else. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<GuardedResponse>;

export interface GuardedFetchOptions {
  /** Refuses all of them where the process is sealed. */
  seal: Seal;
  /** The hosts that may be fetched, as `host` or `host:port`. Without a port, the ports of http and https. */
  hosts: readonly string[];
  /** Host names, addresses and networks that the operator allows although they are private. */
  privateHosts: readonly string[];
  /** PEM certificates that are trusted besides the runtime's. */
  certificateAuthorities?: readonly string[];
  /** Headers that are sent to this origin only. */
  credentials?: { origin: string; headers: Readonly<Record<string, string>> };
  resolve?: Resolve;
  /** The largest body, before and after decompression. */
  bytesMax?: number;
  /** The time from resolving the name to the last byte, redirects included. */
  totalMs?: number;
  /** The longest wait between two pieces of data. */
  idleMs?: number;
  redirectsMax?: number;
}

/** A fetch that reaches only the hosts it is given, at checked addresses, and always within bounds. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { bytesMax = 50_000_000, totalMs = 120_000, idleMs = 30_000, redirectsMax = 5 } = options;
  const destinationOf = createDestinations({ ...options, resolve: options.resolve ?? systemResolve });
  const connect = createConnect(options.certificateAuthorities ?? []);

  return async (address, request) => {
    const deadline = createDeadline(request.signal, { totalMs, idleMs });
    try {
      return await follow(address, request, deadline);
    } finally {
      deadline.end();
    }
  };

  async function follow(
    start: string,
    request: GuardedRequest,
    deadline: Deadline,
  ): Promise<GuardedResponse> {
    let address = start;
    for (let hop = 0; hop <= redirectsMax; hop++) {
      const destination = await deadline.race(hop === 0 ? destinationOf(address) : redirected(address));
      const { url } = destination;
      const response = await connect(
        destination,
        {
          method: request.method ?? "GET",
          headers: headersFor(options.credentials, url, start, request.headers),
          body: request.body,
        },
        deadline.signal,
      );
      deadline.progress();
      const target = request.redirect === "manual" ? undefined : redirectOf(response, url);
      if (target === undefined)
        return await read(response, url, { ...request, bytesMax: request.bytesMax ?? bytesMax }, deadline);
      await discard(response);
      if (request.method === "POST")
        throw new FetchFault("protocol", `it redirects to ${target.slice(0, 200)}: name that address`);
      address = target;
    }
    throw new FetchFault("protocol", `it redirects more than ${redirectsMax} times`);
  }

  async function redirected(address: string): Promise<Destination> {
    return destinationOf(address).catch((cause) => {
      if (!(cause instanceof FetchFault) || cause.kind !== "outside") throw cause;
      const what = `it leads to ${address.slice(0, 200)}, which is on another host`;
      throw new FetchFault("outside", `${what}: add that address as a source`);
    });
  }
}

function headersFor(
  credentials: GuardedFetchOptions["credentials"],
  url: URL,
  start: string,
  given: GuardedRequest["headers"] = {},
): Record<string, string> {
  const isFirst = url.origin === withoutFinalDot(start).origin;
  const own = Object.entries(given).filter(
    ([name]) => isFirst || !CREDENTIAL_HEADERS.includes(name.toLowerCase()),
  );
  const isTheirs = credentials !== undefined && withoutFinalDot(credentials.origin).origin === url.origin;
  return {
    "user-agent": USER_AGENT,
    "accept-encoding": ACCEPTED_ENCODINGS,
    ...Object.fromEntries(own),
    ...(isTheirs ? credentials.headers : {}),
  };
}

async function read(
  response: Response,
  url: URL,
  request: GuardedRequest & Required<Pick<GuardedRequest, "bytesMax">>,
  deadline: Deadline,
): Promise<GuardedResponse> {
  const head = { status: response.status, url: url.href, headers: response.headers };
  const bytesMax = typeof request.bytesMax === "number" ? request.bytesMax : request.bytesMax(head);
  if (request.wantsBody?.(head) === false) {
    await discard(response);
    return { ...head, body: new Uint8Array() };
  }
  const packed = await readBody(response, url, bytesMax, deadline);
  return {
    ...head,
    body: await decompress(packed, response.headers.get("content-encoding") ?? "", bytesMax),
  };
}

function redirectOf(response: Response, url: URL): string | undefined {
  if (!REDIRECTS.includes(response.status)) return undefined;
  const target = response.headers.get("location");
  if (target === null || !URL.canParse(target, url))
    throw new FetchFault("protocol", `${url.href} redirects to nowhere`);
  return new URL(target, url).href;
}

async function readBody(
  response: Response,
  url: URL,
  bytesMax: number,
  deadline: Deadline,
): Promise<Uint8Array> {
  const tooLarge = () => new FetchFault("too_large", `it is larger than ${bytesMax} bytes`);
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (Number(response.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge();
    while (true) {
      const { value, done } = await deadline.race(reader.read());
      if (done) return Buffer.concat(pieces, bytes);
      deadline.progress();
      bytes += value.byteLength;
      if (bytes > bytesMax) throw tooLarge();
      pieces.push(value);
    }
  } catch (cause) {
    reader.cancel().catch(() => {});
    if (deadline.signal.aborted) throw deadline.signal.reason;
    throw cause instanceof FetchFault ? cause : faultOf(cause, url);
  }
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {});
}

/** One abort for a whole fetch: the caller's or a timeout's. */
interface Deadline {
  signal: AbortSignal;
  /** Restarts the idle timeout, because something came. */
  progress(): void;
  /** The promise's value, unless the abort comes first. */
  race<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

/** Watches one fetch until `end`. */
function createDeadline(signal: AbortSignal, bounds: { totalMs: number; idleMs: number }): Deadline {
  const controller = new AbortController();
  const late = (what: string, ms: number) =>
    setTimeout(() => controller.abort(new FetchFault("timeout", `${what} ${ms / 1000} seconds`)), ms);
  const onAbort = () => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  const nothingCame = () => late("nothing came for", bounds.idleMs);
  const total = late("it was not complete after", bounds.totalMs);
  let idle = nothingCame();
  return {
    signal: controller.signal,
    progress() {
      clearTimeout(idle);
      idle = nothingCame();
    },
    async race(promise) {
      // After an abort nobody else waits for it, and a failure that nobody looks at would end the process.
      promise.catch(() => {});
      controller.signal.throwIfAborted();
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const give = () => reject(controller.signal.reason);
      controller.signal.addEventListener("abort", give, { once: true });
      try {
        return await Promise.race([promise, aborted]);
      } finally {
        controller.signal.removeEventListener("abort", give);
      }
    },
    end() {
      clearTimeout(idle);
      clearTimeout(total);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
