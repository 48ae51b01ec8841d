import { recorded } from "./fake-ollama-recorded.ts";

/** How a fake Ollama answers one chat. Everything has a default: `{}` is a short answer. */
export interface FakeAnswer {
  /** The answer, cut into tokens; a plain string is cut at its spaces. */
  text?: string | string[];
  /** What the model calls, after its text: each in a line of its own, as Ollama sends them. */
  calls?: { name: string; arguments: unknown }[];
  /** What a thinking model thinks first. */
  thinking?: string[];
  /** Before the headers: Ollama sends them with the first token. */
  firstTokenMs?: number;
  /** Before each later token. */
  tokenMs?: number;
  /** Waited for before each token of the answer but the first: what is sent before something else has happened. */
  beforeToken?: (index: number) => Promise<void>;
  /** Says the last token again and again, until the client leaves. */
  endless?: boolean;
  /**
   * How it ends: `done`; `done-reason` is a last line without `done`; `error` an error line under status 200; `eof`
   * nothing more; `hang` an open connection on which nothing comes.
   */
  end?: "done" | "done-reason" | "error" | "eof" | "hang";
  /** Upstream's words in an error line. */
  error?: string;
  doneReason?: string;
  promptTokens?: number;
  /** How long it says that it read and wrote. */
  tookMs?: { read: number; write: number };
  /** Leaves every count out of the last line, as proxies and zeros do. */
  withoutMetrics?: boolean;
  /** Sends a line whose content is null before the text. */
  nullContent?: boolean;
  /** How lines become chunks: one each; three bytes at a time, in the middle of characters too; all in one; the last one without its newline. */
  framing?: "line" | "split" | "joined" | "unterminated";
}

/** A status other than 200, before the first line. */
export interface FakeRefusal {
  status: number;
  body: string;
  contentType: string;
  /** Waited for before it is sent. */
  after?: Promise<unknown>;
}

export type FakeReply = FakeAnswer | FakeRefusal;

const JSON_TYPE = "application/json; charset=utf-8";
const CREATED_AT = "2026-01-02T03:04:05.678901234Z";

/** The refusals that Ollama, and what stands before it, really send. */
export const refusals = {
  busy: recorded("refused-busy"),
  notFound: json(404, "model 'tiny' not found"),
  badRequest: json(400, "UPSTREAM-SECRET invalid option"),
  crashed: json(500, "UPSTREAM-SECRET model runner has unexpectedly stopped"),
  forbidden: { status: 403, body: "", contentType: "text/plain" },
  proxyPage: { status: 502, body: "<html><h1>502 UPSTREAM-SECRET</h1></html>", contentType: "text/html" },
  loginPage: { status: 200, body: "<html>Sign in, UPSTREAM-SECRET</html>", contentType: "text/html" },
  otherServer: { status: 404, body: "404 page not found", contentType: "text/plain" },
  redirect: { status: 302, body: "", contentType: "text/plain" },
} satisfies Record<string, FakeRefusal>;

/** JSON as Ollama sends it. */
export function jsonReply(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": JSON_TYPE } });
}

/** What Ollama says when it refuses. */
export function failure(status: number, error: string): Response {
  return jsonReply({ error }, status);
}

/** What Ollama says to a chat without messages, which loads a model or unloads it. */
export function loadReply(model: string, doneReason: "load" | "unload"): Response {
  const message = { role: "assistant", content: "" };
  return jsonReply({ model, created_at: CREATED_AT, message, done_reason: doneReason, done: true });
}

function json(status: number, error: string): FakeRefusal {
  return { status, body: JSON.stringify({ error }), contentType: JSON_TYPE };
}

export function isRefusal(reply: FakeReply): reply is FakeRefusal {
  return "status" in reply;
}

/** Writes an answer over the wire. Calls `onEnd` once, when the last byte is written or the client has left. */
export async function writeReply(
  model: string,
  answer: FakeAnswer,
  signal: AbortSignal,
  onEnd: () => void,
): Promise<Response> {
  await pause(answer.firstTokenMs ?? 0, signal);
  if (signal.aborted) {
    onEnd();
    return new Response();
  }
  const chunks = frame(lines(model, answer, signal), answer.framing ?? "line");
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const chunk of chunks) {
        if (signal.aborted) break;
        controller.enqueue(chunk);
      }
      onEnd();
      if (!signal.aborted) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
}

async function* lines(model: string, answer: FakeAnswer, signal: AbortSignal): AsyncGenerator<string> {
  const line = (message: object, rest: object = { done: false }) =>
    JSON.stringify({
      model,
      created_at: CREATED_AT,
      message: { role: "assistant", ...message },
      ...rest,
    });
  const {
    text = answer.calls ? [] : "Docent answers from the docs [1].",
    thinking = [],
    end = "done",
  } = answer;
  const tokens = typeof text === "string" ? (text.match(/\s*\S+/g) ?? []) : text;
  let sent = 0;
  const next = async () => {
    if (sent++ > 0) await pause(answer.tokenMs ?? 0, signal);
  };
  if (answer.nullContent === true) yield line({ content: null });
  for (const thought of thinking) {
    await next();
    yield line({ content: "", thinking: thought });
  }
  for (const [index, content] of tokens.entries()) {
    await next();
    if (index > 0) await answer.beforeToken?.(index);
    yield line({ content });
  }
  for (const call of answer.calls ?? []) {
    await next();
    yield line({ content: "", tool_calls: [{ id: "call_ab12cd34", function: { index: 0, ...call } }] });
  }
  while (answer.endless === true && !signal.aborted) {
    await pause(answer.tokenMs ?? 1, signal);
    yield line({ content: tokens.at(-1) ?? "" });
  }
  if (end === "hang") await pause(600_000, signal);
  if (end === "error")
    yield JSON.stringify({ error: answer.error ?? "UPSTREAM-SECRET an error was encountered" });
  const done_reason = answer.doneReason ?? "stop";
  if (end === "done-reason") yield line({ content: "" }, { done_reason });
  if (end !== "done") return;
  const { promptTokens = 123, tookMs } = answer;
  const metrics = {
    total_duration: 1000,
    load_duration: 100,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: tookMs === undefined ? 400 : tookMs.read * 1e6,
    eval_count: tokens.length + thinking.length,
    eval_duration: tookMs === undefined ? 500 : tookMs.write * 1e6,
  };
  yield line(
    { content: "" },
    { done_reason, done: true, ...(answer.withoutMetrics === true ? {} : metrics) },
  );
}

async function* frame(
  lines: AsyncIterable<string>,
  framing: NonNullable<FakeAnswer["framing"]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (framing === "line") {
    for await (const line of lines) yield encoder.encode(`${line}\n`);
    return;
  }
  const all = (await Array.fromAsync(lines)).join("\n");
  const bytes = encoder.encode(framing === "unterminated" ? all : `${all}\n`);
  if (framing !== "split") return yield bytes;
  for (let start = 0; start < bytes.length; start += 3) {
    yield bytes.slice(start, start + 3);
    // A turn of the loop, or the pieces would leave as one.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
