import type { Seal } from "@docent/kernel/lib/seal/seal";
import { OllamaFault } from "../faults.ts";
import { errorText } from "./wire.ts";

const ERROR_BODY_MS = 5000;
const ERROR_BODY_BYTES = 64_000;

export interface OllamaRequest {
  url: string;
  method: "GET" | "POST";
  body?: unknown;
  signal: AbortSignal;
  /** Until the first byte of the body: Ollama sends its headers together with the first word. */
  firstByte: { ms: number; fault: () => OllamaFault };
  /** Between two pieces of a stream; for a body read as a whole, from the first byte to the last. */
  idle: { ms: number; fault: () => OllamaFault };
}

/** A reply with status 200 whose body is still coming. */
export interface OllamaReply {
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * The whole body. Throws `too_large` instead of reading on, and the idle fault where it comes too slowly.
   */
  text(bytesMax: number): Promise<string>;
  /** Ends the call in any state. */
  close(): void;
}

type FetchOptions = BunFetchRequestInit & { timeout: false };

/**
 * Sends one request to Ollama. Throws the signal's reason when aborted, and an OllamaFault for everything
 * else, including a status other than 200.
 */
export async function sendRequest(call: OllamaRequest, seal: Seal): Promise<OllamaReply> {
  const sealed = seal.refusal("ollama", call.url);
  if (sealed !== undefined) throw new OllamaFault("unreachable", sealed);
  const watch = createDeadline(call.signal);
  watch.limit(call.firstByte.ms, call.firstByte.fault);
  try {
    const response = await send(call, watch);
    const reply = openReply(response, watch, call.idle);
    if (response.status === 200) {
      if (response.headers.get("content-type")?.startsWith("text/html") !== true) return reply;
      throw new OllamaFault("protocol", "a web page came instead of a reply");
    }
    watch.limit(ERROR_BODY_MS, () => new OllamaFault("status", "no body", { status: response.status }));
    throw await statusFault(response.status, reply);
  } catch (error) {
    watch.end();
    throw error;
  }
}

async function send(call: OllamaRequest, watch: Deadline): Promise<Response> {
  const options: FetchOptions = {
    method: call.method,
    signal: watch.signal,
    // Bun gives up after 300 s without a byte; loading a large model from a slow disk takes longer.
    timeout: false,
    // Bun would send even loopback requests, prompts included, through the proxy that HTTP_PROXY names.
    proxy: false,
    // Ollama never redirects, and a prompt must not follow a redirect to another host.
    redirect: "manual",
  };
  if (call.body !== undefined) {
    options.body = JSON.stringify(call.body);
    options.headers = { "content-type": "application/json" };
  }
  try {
    return await fetch(call.url, options);
  } catch (cause) {
    throw watch.signal.aborted ? watch.signal.reason : unreachable(cause);
  }
}

function openReply(response: Response, watch: Deadline, idle: OllamaRequest["idle"]): OllamaReply {
  /**
   * With `isStream` the idle time limits each piece, and the consumer may take its time; otherwise it limits
   * all pieces together.
   */
  async function* pieces(isStream: boolean): AsyncGenerator<Uint8Array, void, undefined> {
    let isBegun = false;
    const reader = response.body?.getReader();
    if (reader === undefined) return watch.end();
    const cancel = () => void reader.cancel().catch(() => {});
    // Aborting the fetch should end a pending read by itself; cancelling as well makes sure of it.
    watch.signal.addEventListener("abort", cancel, { once: true });
    try {
      while (true) {
        const { value, done } = await reader.read();
        watch.signal.throwIfAborted();
        if (done) return;
        if (isStream) watch.pause();
        if (value !== undefined) yield value;
        if (isStream || !isBegun) watch.limit(idle.ms, idle.fault);
        isBegun = true;
      }
    } catch (cause) {
      throw watch.signal.aborted
        ? watch.signal.reason
        : new OllamaFault("incomplete", "the connection broke", { cause });
    } finally {
      watch.signal.removeEventListener("abort", cancel);
      watch.end();
      cancel();
    }
  }
  return {
    chunks: () => pieces(true),
    close: () => watch.end(),
    async text(bytesMax) {
      const decoder = new TextDecoder();
      let text = "";
      let bytes = 0;
      for await (const chunk of pieces(false)) {
        bytes += chunk.byteLength;
        if (bytes > bytesMax) throw new OllamaFault("too_large", `a reply of more than ${bytesMax} bytes`);
        text += decoder.decode(chunk, { stream: true });
      }
      return text + decoder.decode();
    },
  };
}

async function statusFault(status: number, reply: OllamaReply): Promise<OllamaFault> {
  const body = await reply.text(ERROR_BODY_BYTES).catch(() => "");
  const said = errorIn(body);
  const text = said ?? body.trim().slice(0, 500);
  return new OllamaFault("status", `status ${status}: ${text}`, { status, fromOllama: said !== undefined });
}

function errorIn(body: string): string | undefined {
  try {
    return errorText(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function unreachable(cause: unknown): OllamaFault {
  return new OllamaFault("unreachable", "no connection", { cause });
}

/** The signal that ends a call: the caller's, or that of the current timeout. */
interface Deadline {
  signal: AbortSignal;
  limit(ms: number, fault: () => OllamaFault): void;
  pause(): void;
  end(): void;
}

/** Makes a deadline without a timeout. It listens to the caller's signal until `end`. */
function createDeadline(signal: AbortSignal): Deadline {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerMs = 0;
  /** What is wrong when the time is over; undefined where nothing is waited for. */
  let overdue: (() => OllamaFault) | undefined;
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    pause() {
      overdue = undefined;
    },
    limit(ms, fault) {
      overdue = fault;
      // Each piece of a stream begins the same time anew: making a timer for each would be felt.
      if (timer !== undefined && ms === timerMs) return void timer.refresh();
      clearTimeout(timer);
      timerMs = ms;
      timer = setTimeout(() => {
        if (overdue !== undefined) controller.abort(overdue());
      }, ms);
    },
    end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (!controller.signal.aborted) controller.abort(new DOMException("The call is over", "AbortError"));
    },
  };
}
