import { type IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { SITE } from "./configurations.ts";

// An answer whose model says a sentence only when the reader has seen the one before it: whatever holds the stream back
// is found out without looking at a clock.

const QUESTION = "How do I install Acme on Linux?";
const SENTENCES = 20;
/** For a sentence that does not come: long for a busy machine, and only waited for where a test fails. */
const HELD_BACK_MS = 5000;
const sentence = (index: number) => `Step number${index} installs Acme.\n\n`;

/** The wires that a reader's client may speak, as paths and bodies. */
export const WIRES = {
  v1: { path: "/v1/assistant/acme/message", body: question },
  v2: { path: "/v2/assistant/acme/message", body: question },
  openai: {
    path: "/v1/chat/completions",
    body: (content: string) => ({ model: "acme", stream: true, messages: [{ role: "user", content }] }),
  },
} as const;
export type Wire = keyof typeof WIRES;

export interface StreamedAnswer {
  status: number;
  /** How many sentences the reader saw before the model said the next one. */
  seenInTime: number;
  encoding: string;
  text: string;
}

export interface GatedDocent {
  docent: TestDocent;
  /** Where Docent listens, as proxies name it. */
  upstream: string;
  /** Asks through an address, and lets the model go on as the reader sees what it said. */
  ask(url: string, wire: Wire): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

/** A Docent under `/docent`, which believes a proxy on this machine. */
export async function startGatedDocent(): Promise<GatedDocent> {
  const ollama = startFakeOllama();
  const docent = await startDocent({
    ollama: ollama.url,
    settings: { base_path: "/docent", trusted_proxies: "127.0.0.1", answer_cache_answers: "0" },
  });
  return {
    docent,
    upstream: new URL(docent.url).host,
    ask: (url, wire) => {
      const { path, body } = WIRES[wire];
      return readGated(ollama, `${url}${path}`, docent.key, JSON.stringify(body(QUESTION)));
    },
    async close() {
      await docent.close();
      await ollama.stop();
    },
  };
}

async function readGated(
  ollama: FakeOllama,
  url: string,
  key: string,
  body: string,
): Promise<StreamedAnswer> {
  const answer: StreamedAnswer = { status: 0, seenInTime: 0, encoding: "", text: "" };
  let isHeldBack = false;
  let arrived = () => {};
  const hasSeen = (index: number) => answer.text.includes(`number${index} `);
  ollama.replyWith({
    text: [...Array.from({ length: SENTENCES }, (_, index) => sentence(index)), "That is all [1]."],
    async beforeToken(index) {
      const giveUpAt = Date.now() + HELD_BACK_MS;
      while (!isHeldBack && !hasSeen(index - 1)) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
          setTimeout(resolve, 100);
        });
        isHeldBack = Date.now() > giveUpAt;
      }
      if (hasSeen(index - 1)) answer.seenInTime++;
    },
  });
  const reply = await post(url, key, body);
  answer.status = reply.statusCode ?? 0;
  answer.encoding = reply.headers["content-encoding"] ?? "";
  for await (const chunk of decoded(reply)) {
    answer.text += String(chunk);
    arrived();
  }
  return answer;
}

/** The number of sentences that a reader sees in time where nothing holds the stream back. */
export const ALL_IN_TIME = SENTENCES;

/** Sends a body as a browser does: it takes compressed replies. */
export function post(url: string, key: string, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    host: SITE,
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "accept-encoding": "gzip",
  };
  request(url, { method: "POST", headers }, resolve).on("error", reject).end(body);
  return promise;
}

/** As a browser decodes: each piece as soon as it can be read. */
function decoded(reply: IncomingMessage): Readable {
  if (reply.headers["content-encoding"] !== "gzip") return reply;
  return reply.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH }));
}
