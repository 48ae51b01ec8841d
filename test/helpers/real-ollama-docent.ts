import { afterEach } from "bun:test";
import { databaseOf } from "./database-of.ts";
import { type DocentOptions, partsOf, question, startDocent, type TestDocent, textOf } from "./docent.ts";
import type { RealOllama } from "./real-ollama.ts";
import { CHAT, startAnother } from "./real-ollama-here.ts";
import { type OllamaTap, tapOllama } from "./real-ollama-tap.ts";

export const CONTEXT_TOKENS = 2048;
export const ANSWER_TOKENS = 40;
export const INSTALL = "How do I install Acme on Linux?";
export const INSTALL_OTHER = "How do I install Acme on macOS?";

/** For a model that is small, slow and real: reading takes most of its time. What is asked again is answered anew. */
const SETTINGS = {
  connect_seconds: "30",
  queue_seconds: "300",
  context_tokens: String(CONTEXT_TOKENS),
  answer_tokens: String(ANSWER_TOKENS),
  passage_tokens: "300",
  answer_cache_answers: "0",
  model: CHAT,
};

/** What a test starts, which is ended after it: what was started last first. */
export function createStage() {
  let started = new AsyncDisposableStack();
  afterEach(async () => {
    const over = started;
    started = new AsyncDisposableStack();
    await over.disposeAsync();
  });
  return {
    /** A Docent whose model is behind that address, or behind those of the setting ollama_urls. */
    async docent(
      ollama: string,
      settings: Record<string, string> = {},
      options: DocentOptions = {},
    ): Promise<TestDocent> {
      const docent = await startDocent({ ollama, ...options, settings: { ...SETTINGS, ...settings } });
      started.defer(() => docent.close());
      return docent;
    },
    /** A server of the test's own, without a model in memory. */
    async ollama(environment: Record<string, string> = {}): Promise<RealOllama> {
      return started.use(await startAnother(environment));
    },
    /** A door before a server, which notes the chats. */
    tap(url: string): OllamaTap {
      const tap = tapOllama(url);
      started.defer(() => tap.close());
      return tap;
    },
  };
}

/** Asks by v1, and reads the reply to its end. */
export async function ask(docent: TestDocent, body: unknown = question(INSTALL)) {
  const reply = await docent.post(body);
  const wire = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status}: ${wire}`);
  const threadId = reply.headers.get("x-thread-id") ?? "";
  return { wire, text: textOf(wire), parts: partsOf(wire), threadId };
}

/** A body that asks the next question of a thread, without the ones before it. */
export function nextQuestion(threadId: string, content: string) {
  return {
    fp: "anonymous",
    threadId,
    messages: [{ id: crypto.randomUUID(), role: "user", content, parts: [] }],
  };
}

/** Reads a reply until it holds some text. With something to do then, it is read on to its end. */
export async function readUntil(
  reply: Response,
  text: string,
  then?: () => void | Promise<void>,
): Promise<string> {
  const decoder = new TextDecoder();
  let wire = "";
  let seen = false;
  for await (const bytes of reply.body ?? []) {
    wire += decoder.decode(bytes, { stream: true });
    if (seen || !wire.includes(text)) continue;
    seen = true;
    if (then === undefined) return wire;
    await then();
  }
  return wire;
}

/** A turn as it is stored. */
export interface StoredTurn {
  outcome: string | null;
  answer: string;
  responder: string | null;
  model: string | null;
  prompt_tokens: number | null;
  prompt_tokens_estimated: number | null;
  completion_tokens: number | null;
  first_token_ms: number | null;
  support_share: number | null;
  cached: number;
  curated: string | null;
  retrieved_json: string;
  cited_json: string;
  rewritten_json: string;
  rewrite_ms: number | null;
}

export const turnsOf = ({ app }: TestDocent): StoredTurn[] =>
  databaseOf(app).query<StoredTurn, []>("SELECT * FROM turns ORDER BY created_at, id").all();
export const lastTurn = (docent: TestDocent): StoredTurn | undefined => turnsOf(docent).at(-1);

/** Whether the server has logged that. */
export const hasLogged = ({ logged }: TestDocent, text: string): boolean =>
  logged.some((line) => line.includes(text));
