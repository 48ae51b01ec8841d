import { AppError } from "@docent/kernel/errors";
import type { ZodType } from "zod";
import {
  jsonSaid,
  type ServerAccess,
  type ServerReply,
  type ServerRequest,
} from "../../connectors/connectors.ts";
import { isAskedTooMuch, opensAt, type PoliteFetch } from "../crawl/crawl.ts";
import { unreadable, unreadableStatus } from "../http-fault.ts";

const NOTHING_THERE = [404, 410];
const VALUE_CHARACTERS_SAID = 200;

interface ServerAccessOptions {
  fetch: PoliteFetch;
  /** What each request is signed in with. */
  headers: Readonly<Record<string, string>>;
  bytesMax: number;
  signal: AbortSignal;
  /** Called with the bytes of each reply. What it raises ends the asking. */
  onReply?: (bytes: number) => void;
}

/** Asks a server on behalf of a connector. */
export function createServerAccess(options: ServerAccessOptions): ServerAccess {
  const { fetch, headers, bytesMax, signal, onReply } = options;
  async function ask(address: string | URL, request: ServerRequest = {}): Promise<ServerReply> {
    const { href } = new URL(address);
    const reply = await fetch.get(href, { signal, bytesMax, ...sent(request, headers) }).catch((cause) => {
      signal.throwIfAborted();
      throw unreadable(href, cause);
    });
    onReply?.(reply.body.length);
    const isReply = (reply.status >= 200 && reply.status < 300) || NOTHING_THERE.includes(reply.status);
    if (isReply) return reply;
    // A server that is down says 503.
    const isLimited = reply.status !== 503 && isAskedTooMuch(reply);
    throw isLimited ? askedTooMuch(href, reply.status, opensAt(reply)) : unreadableStatus(href, reply.status);
  }

  return {
    ask,
    keepApart: (ms) => fetch.keepApart(ms),
    async json<T>(address: string | URL, schema: ZodType<T>, request: ServerRequest = {}): Promise<T> {
      const reply = await ask(address, {
        ...request,
        headers: { accept: "application/json", ...request.headers },
      });
      if (NOTHING_THERE.includes(reply.status)) throw nothingAt(reply.url);
      return readJson(reply, schema);
    },
  };
}

function sent({ json, form, headers: own }: ServerRequest, headers: Readonly<Record<string, string>>) {
  const all = { ...headers, ...own };
  if (json !== undefined)
    return {
      method: "POST" as const,
      body: JSON.stringify(json),
      headers: { ...all, "content-type": "application/json" },
    };
  if (form === undefined) return { headers: all };
  return {
    method: "POST" as const,
    body: new URLSearchParams(form).toString(),
    headers: { ...all, "content-type": "application/x-www-form-urlencoded" },
  };
}

function readJson<T>({ url, body }: ServerReply, schema: ZodType<T>): T {
  const parsed = schema.safeParse(jsonSaid(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const text = new TextDecoder().decode(body.subarray(0, 4 * VALUE_CHARACTERS_SAID));
  throw new AppError("unavailable", `${url} answers with something that cannot be read.`, {
    hint: "Look at the address and the kind of the source, and at what the server answers there.",
    cause: new Error(
      `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}; it begins ${JSON.stringify(text.slice(0, VALUE_CHARACTERS_SAID))}`,
    ),
  });
}

function askedTooMuch(what: string, status: number, opens: number | undefined): AppError {
  const why =
    opens === undefined
      ? `is asked too much, as it says (${status})`
      : `takes no more requests until ${minuteOf(opens)}`;
  return new AppError("unavailable", `${what} could not be read: its server ${why}.`, {
    hint: "Readers still see what was there before. Run this again later: what was read is not read again. Who signs in is often allowed more.",
  });
}

const minuteOf = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const nothingAt = (url: string) =>
  new AppError("not_found", `There is nothing at ${url}.`, {
    hint: "Look at the address and the kind of the source, and whether what it signs in with may read it.",
  });
