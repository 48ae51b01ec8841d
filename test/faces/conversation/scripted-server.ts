import {
  type Conversation,
  type ConversationOptions,
  createConversation,
} from "../../../src/faces/conversation/conversation.ts";
import type { ConversationState, Turn } from "../../../src/faces/conversation/state.ts";

/** What a client posted. */
export interface Posted {
  path: string;
  authorization: string | null;
  body: Record<string, unknown>;
  signal: AbortSignal;
}

type Reply = (posted: Posted) => Response | Promise<Response>;

/** A server that gives the replies that it was told, one for each request, and remembers what it was asked. */
export function startScriptedServer() {
  const posted: Posted[] = [];
  const replies: Reply[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const headers = request.headers.get("authorization");
      const one = {
        path: pathname,
        authorization: headers,
        body: await request.json(),
        signal: request.signal,
      };
      posted.push(one);
      const reply = replies.shift();
      return reply === undefined ? new Response("no reply is left", { status: 500 }) : reply(one);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    posted,
    next: (...more: Reply[]) => replies.push(...more),
    stop: () => server.stop(true),
  };
}

export type ScriptedServer = ReturnType<typeof startScriptedServer>;

/** Parts of the v2 stream, as the server writes them. */
export const START = { type: "start", messageId: "m1", messageMetadata: { threadId: "t1" } };
export const FINISH = {
  type: "finish",
  messageMetadata: {
    threadId: "t1",
    outcome: "answered",
    responder: "ollama",
    model: "tiny",
    finishReason: "stop",
    followUps: ["And then?"],
  },
};
export const text = (delta: string) => ({ type: "text-delta", id: "text_1", delta });
export const wire = (parts: readonly object[]) =>
  parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("");

/** A whole answer. */
export const answer = (...parts: object[]): Reply => {
  return () => sse(`${wire([START, ...parts, FINISH])}data: [DONE]\n\n`);
};

export const sse = (body: string | ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });

/** An answer that stays open behind its first parts, and what ends it. */
export function openAnswer(parts: readonly object[]) {
  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (more: readonly object[]) => controller?.enqueue(new TextEncoder().encode(wire(more)));
  const reply: Reply = () =>
    sse(
      new ReadableStream({
        start(opened) {
          controller = opened;
          write(parts);
        },
        cancel: () => resolve(),
      }),
    );
  return {
    reply,
    write,
    isGone,
    close: () => controller?.close(),
  };
}

/** A conversation with it, whose states are kept. */
export function converse(server: ScriptedServer, more: Partial<ConversationOptions> = {}) {
  let ids = 0;
  const conversation = createConversation({
    fetch,
    endpoint: server.url,
    domain: "acme",
    key: "docent_dsc_x",
    fp: "anonymous",
    now: () => 1_000_000,
    newId: () => `q${++ids}`,
    isOnline: () => true,
    schedule: (run) => queueMicrotask(run),
    ...more,
  });
  const states: ConversationState[] = [];
  conversation.subscribe((state) => states.push(state));
  return { conversation, states };
}

/** The newest turn. */
export function lastTurn(conversation: Conversation): Turn {
  const turn = conversation.state().turns.at(-1);
  if (turn === undefined) throw new Error("there is no turn");
  return turn;
}

/** Resolves when the conversation's newest turn is as asked. */
export function until(conversation: Conversation, isSo: (turn: Turn) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const turn = conversation.state().turns.at(-1);
      if (turn === undefined || !isSo(turn)) return;
      end();
      resolve();
    };
    const end = conversation.subscribe(look);
    look();
  });
}

/** A storage that is plain text. */
export function memoryStorage(value: string | null = null) {
  const kept = {
    value,
    get: () => kept.value,
    set(saved: string) {
      kept.value = saved;
    },
  };
  return kept;
}
