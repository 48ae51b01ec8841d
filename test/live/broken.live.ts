import { describe, expect, test } from "bun:test";
import type { ChatLine } from "../../src/models/ollama/client/wire.ts";
import { errorText } from "../../src/models/ollama/client/wire.ts";
import { valuesOf } from "../helpers/fake-ollama-recorded.ts";
import { asks, chatBody, patientClient, QUESTION, until } from "../helpers/real-ollama-chat.ts";
import { CHAT_OTHER, EMBED, LOGS_READING, realOllama, startAnother } from "../helpers/real-ollama-here.ts";
import { type Exchange, exchange, expectAsRecorded } from "../helpers/real-ollama-recording.ts";
import { appError, drain, never, textOf } from "../models/ollama/helpers.ts";

/** An answer that a grammar makes long: by itself it would go on for a quarter of a minute and more. */
const LONG = {
  ...chatBody(asks("Count from 1 to 1000: 1, 2, 3"), { num_ctx: 4096, num_predict: 1200 }),
  format: { type: "array", items: { type: "integer" }, minItems: 600 },
};
const SHORT = chatBody(asks(QUESTION), { num_ctx: 4096, num_predict: 4 });

describe("a reader who leaves in mid-answer", () => {
  test("frees the model: the next answer begins before the first could have ended", async () => {
    await using ollama = await startAnother();
    const client = patientClient(ollama.url);
    const abort = new AbortController();
    const tokens: number[] = [];
    const left = drain(stopAt(client.chat(LONG, abort.signal), 20, abort, () => tokens.push(Date.now())));
    expect((await left).error).toBe(abort.signal.reason);
    const msPerToken = ((tokens.at(-1) ?? 0) - (tokens[0] ?? 0)) / tokens.length;

    const leftAt = Date.now();
    const lines = await Array.fromAsync(client.chat(SHORT, never));
    expect(lines.at(-1)).toMatchObject({ done: true, outputTokens: 4 });
    // Measured against the machine's own speed a moment ago, whatever that is.
    const restMs = (LONG.options.num_predict - tokens.length) * msPerToken;
    expect(Date.now() - leftAt).toBeLessThan(restMs / 2);
  });
});

describe("a runner that dies in mid-answer", () => {
  test("ends the reply with a line that says so, under the status 200 that it began with", async () => {
    await using ollama = await startAnother();
    const reply = await replyOfKilled(ollama.runners, `${ollama.url}/api/chat`);
    await expectAsRecorded("chat-runner-killed", reply);
    const values = valuesOf(reply);
    expect(reply.status).toBe(200);
    expect(values.some((value) => errorText(value) === undefined)).toBe(true);
    expect(errorText(values.at(-1))).toBeString();
  });

  test("is a broken answer to the client, whose beginning is kept; the next one is whole", async () => {
    await using ollama = await startAnother();
    const client = patientClient(ollama.url);
    const lines: ChatLine[] = [];
    const reading = (async () => {
      for await (const line of client.chat(LONG, never)) lines.push(line);
    })().catch((error: unknown) => error);
    await until(() => lines.length > 5);
    kill(ollama.runners());
    expect(appError(await reading)).toMatchObject({ code: "model_failed", hint: "look at Ollama's log" });
    expect(textOf(lines)).not.toBe("");
    const next = await Array.fromAsync(client.chat(SHORT, never));
    expect(next.at(-1)).toMatchObject({ done: true });
  });
});

describe("a runner that dies before its first word", () => {
  const { logsReading } = realOllama();
  /** Takes seconds to read. */
  const TO_READ = chatBody(asks("documentation ".repeat(1500)), { num_ctx: 4096, num_predict: 4 });

  test.if(logsReading)(
    "while it loads is a status, and while it reads a line that says so, under the status 200",
    async () => {
      await using ollama = await startAnother(LOGS_READING);
      const loading = exchange(ollama.url, "/api/chat", TO_READ);
      await until(() => ollama.runners().length > 0);
      kill(ollama.runners());
      await expectAsRecorded("refused-load-killed", await loading);
      expect((await loading).status).toBe(500);

      const reading = exchange(ollama.url, "/api/chat", TO_READ);
      await until(() => ollama.log().includes("loading cache slot"));
      kill(ollama.runners());
      const reply = await reading;
      await expectAsRecorded("chat-killed-reading", reply);
      expect([reply.status, valuesOf(reply).map(errorText)]).toEqual([200, [expect.any(String)]]);
    },
  );

  test.if(logsReading)("is unavailable to the client, so that another one can be asked", async () => {
    await using ollama = await startAnother(LOGS_READING);
    const reading = drain(patientClient(ollama.url).chat(TO_READ, never));
    await until(() => ollama.log().includes("loading cache slot"));
    kill(ollama.runners());
    const { values, error } = await reading;
    expect(values).toEqual([]);
    expect(appError(error)).toMatchObject({ code: "unavailable", cause: { kind: "error_line" } });
  });
});

describe("more requests than Ollama's queue holds, while a model loads", () => {
  test("are refused with 503, which the client calls busy", async () => {
    await using ollama = await startAnother({ OLLAMA_MAX_QUEUE: "1" });
    const models = [CHAT_OTHER, EMBED, "smollm2"];
    const burst = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 3 === 1
          ? exchange(ollama.url, "/api/embed", { model: EMBED, input: "text" })
          : exchange(ollama.url, "/api/chat", { ...SHORT, model: models[index % 3] }),
      ),
    );
    const refused = burst.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    const [busy] = refused;
    if (busy === undefined) throw new Error("nothing was refused");
    await expectAsRecorded("refused-busy", busy);
    expect(errorText(valuesOf(busy)[0])).toContain("maximum pending requests");
  });
});

/** Passes a stream on, and aborts it after so many values. */
async function* stopAt<T>(stream: AsyncIterable<T>, count: number, abort: AbortController, each: () => void) {
  let seen = 0;
  for await (const value of stream) {
    each();
    if (++seen === count) abort.abort(new Error("the reader left"));
    yield value;
  }
}

function kill(runners: number[]): void {
  expect(runners).not.toEqual([]);
  for (const pid of runners) process.kill(pid, "SIGKILL");
}

/** The whole reply to an answer whose runner is killed once some of it has come. */
async function replyOfKilled(runners: () => number[], address: string): Promise<Exchange> {
  const reply = await fetch(address, { method: "POST", body: JSON.stringify(LONG) });
  const decoder = new TextDecoder();
  let body = "";
  let killed = false;
  for await (const bytes of reply.body ?? []) {
    body += decoder.decode(bytes, { stream: true });
    if (killed || body.split("\n").length < 4) continue;
    kill(runners());
    killed = true;
  }
  const contentType = reply.headers.get("content-type") ?? "";
  return { path: "/api/chat", request: LONG, status: reply.status, contentType, body };
}
