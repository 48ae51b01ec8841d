import { z } from "zod";
import { type EmbedScript, type FakeEmbed, replyToEmbed } from "./fake-ollama-embed.ts";
import { type FakeModel, named, psReply, showReply, tagsReply } from "./fake-ollama-models.ts";
import {
  type FakeReply,
  failure,
  isRefusal,
  jsonReply,
  loadReply,
  writeReply,
} from "./fake-ollama-replies.ts";
import { until } from "./until.ts";

const chatBody = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.string(), images: z.array(z.string()).optional() }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  stream: z.boolean().optional(),
  think: z.boolean().optional(),
  keep_alive: z.union([z.number(), z.string()]).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** What one request was, and what became of it. */
export interface FakeRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
  receivedAtMs: number;
  /** The client went away before its reply was complete. */
  aborted: boolean;
  abortedAtMs: number | undefined;
  /** The whole reply was written. */
  finished: boolean;
}

export type FakeChat = FakeRequest & { body: z.infer<typeof chatBody> };

export interface FakeOllamaOptions {
  /** What is installed; one plain chat model named `tiny:latest` unless given. */
  models?: FakeModel[];
  /** What every chat is answered with; a short sentence unless given. */
  reply?: FakeReply;
  version?: string;
  /** A port to listen on; any free one unless given. */
  port?: number;
}

/** A server that speaks as Ollama does, says what it is told to, and remembers what it was asked. */
export interface FakeOllama {
  readonly url: string;
  readonly port: number;
  /** Every request, in the order in which they came. */
  readonly requests: FakeRequest[];
  /** The chats among them. A load (a chat without messages) is not one. */
  readonly chats: FakeChat[];
  readonly loads: FakeChat[];
  /** The requests for vectors among them. */
  readonly embeds: FakeEmbed[];
  /** The most chats that were running at the same time. */
  readonly mostAtOnce: number;
  models: FakeModel[];
  /** Decides each chat's reply: `index` counts chats from 0. Returning undefined falls back to `options.reply`. */
  script(next: (chat: FakeChat, index: number) => FakeReply | undefined): void;
  /** Decides each reply to a request for vectors. */
  embedWith(script: EmbedScript): void;
  /** These replies one after the other; the last one again and again. */
  replyWith(...replies: FakeReply[]): void;
  /** Waits until something is so. */
  until(is: () => boolean): Promise<void>;
  /** Drops every connection; afterwards connections are refused. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  restart(): void;
}

/** Starts a fake Ollama on the loopback address. */
export function startFakeOllama(options: FakeOllamaOptions = {}): FakeOllama {
  const requests: FakeRequest[] = [];
  const chats: FakeChat[] = [];
  const loads: FakeChat[] = [];
  let next: (chat: FakeChat, index: number) => FakeReply | undefined = () => undefined;
  const embeds: FakeEmbed[] = [];
  let embedScript: EmbedScript = () => undefined;
  let running = 0;
  let mostAtOnce = 0;
  let models = options.models ?? [{ name: "tiny:latest" }];
  /** What is in memory, with its context. */
  const loaded = new Map<string, number>();

  const chat = async (record: FakeRequest, signal: AbortSignal): Promise<Response> => {
    const body = chatBody.safeParse(record.body);
    if (!body.success) return failure(400, "missing request body");
    const asked: FakeChat = Object.assign(record, { body: body.data });
    const { model, messages, keep_alive: keepAlive, options: run } = asked.body;
    const known = named(models, model);
    if (known === undefined) return failure(404, `model "${model}" not found, try pulling it first`);
    if (known.capabilities?.includes("completion") === false)
      return failure(400, `"${model}" does not support chat`);
    const leaves = messages.length === 0 && keepAlive === 0;
    if (leaves) loaded.delete(known.name);
    else loaded.set(known.name, Number(run?.["num_ctx"] ?? 4096));
    if (messages.length === 0) {
      loads.push(asked);
      record.finished = true;
      return loadReply(model, leaves ? "unload" : "load");
    }
    const reply = next(asked, chats.push(asked) - 1) ?? sameQuestion(asked) ?? options.reply ?? {};
    if (asked.body.think === true && known.capabilities?.includes("thinking") !== true) {
      return failure(400, `"${model}" does not support thinking`);
    }
    if (asked.body.tools !== undefined && known.capabilities?.includes("tools") !== true) {
      return failure(400, `"${model}" does not support tools`);
    }
    if (isRefusal(reply)) {
      await reply.after;
      return new Response(reply.body, {
        status: reply.status,
        headers: { "content-type": reply.contentType },
      });
    }
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    return writeReply(model, reply, signal, () => {
      running -= 1;
      record.finished = !signal.aborted;
    });
  };

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const record: FakeRequest = {
      method: request.method,
      path: pathname,
      headers: request.headers,
      body: text === "" ? undefined : parseJson(text),
      receivedAtMs: Date.now(),
      aborted: false,
      abortedAtMs: undefined,
      finished: false,
    };
    requests.push(record);
    request.signal.addEventListener("abort", () => {
      if (record.finished) return;
      Object.assign(record, { aborted: true, abortedAtMs: Date.now() });
    });
    // As Ollama guards itself against web pages that call it from a browser.
    const origin = request.headers.get("origin");
    if (origin !== null && !/^https?:\/\/(localhost|127\.0\.0\.1)/.test(origin))
      return new Response("", { status: 403 });
    switch (`${request.method === "HEAD" ? "GET" : request.method} ${pathname}`) {
      case "GET /":
        return new Response("Ollama is running");
      case "GET /api/version":
        return jsonReply({ version: options.version ?? "0.24.0" });
      case "GET /api/tags":
        return jsonReply(tagsReply(models));
      case "GET /api/ps":
        return jsonReply(psReply(models, loaded));
      case "POST /api/show":
        return showReply(models, record.body) ?? failure(404, `model not found`);
      case "POST /api/chat":
        return chat(record, request.signal);
      case "POST /api/embed":
        return replyToEmbed(record, models, embeds, embedScript);
      case "GET /api/chat":
      case "GET /api/embed":
      case "GET /api/show":
        return plain(405, "405 method not allowed");
      default:
        return plain(404, "404 page not found");
    }
  };

  const serve = (port: number) => Bun.serve({ hostname: "127.0.0.1", port, idleTimeout: 0, fetch: handle });
  let server = serve(options.port ?? 0);
  const port = server.port ?? 0;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    chats,
    loads,
    embeds,
    get mostAtOnce() {
      return mostAtOnce;
    },
    get models() {
      return models;
    },
    set models(installed) {
      models = installed;
    },
    script: (decide) => {
      next = decide;
    },
    embedWith: (script) => {
      embedScript = script;
    },
    replyWith: (...replies) => {
      const first = chats.length;
      next = (_, index) => replies[Math.min(index - first, replies.length - 1)];
    },
    until,
    stop: () => server.stop(true),
    restart: () => {
      server = serve(port);
    },
  };
}

/** The reply to a question that is to be written anew, which is the only chat without chance: the question as it was. */
function sameQuestion({ body: { messages, options } }: FakeChat): FakeReply | undefined {
  if (options?.["temperature"] !== 0) return undefined;
  const [, question] = /<question>\n([\s\S]*?)\n<\/question>/.exec(messages.at(-1)?.content ?? "") ?? [];
  return question === undefined ? undefined : { text: question };
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain" } });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
