import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import { refusals } from "../helpers/fake-ollama-replies.ts";
import { timersOf } from "../helpers/timers-of.ts";

const ASKED = question("How do I install Acme on Linux?");
const open: { close(): Promise<void> }[] = [];

async function start(options: FakeOllamaOptions = {}, settings: Record<string, string> = {}) {
  const ollama = startFakeOllama(options);
  // The same question is asked again and again, of models that answer otherwise.
  const docent = await startDocent({
    ollama: ollama.url,
    settings: { answer_cache_answers: "0", ...settings },
  });
  open.push(docent, { close: () => ollama.stop() });
  return { ollama, docent };
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function ask(docent: TestDocent, body: unknown = ASKED) {
  const reply = await docent.post(body);
  const wire = await reply.text();
  return { reply, wire, parts: reply.ok ? partsOf(wire) : [], text: reply.ok ? textOf(wire) : "" };
}

const lastOutcome = (docent: TestDocent) =>
  databaseOf(docent.app)
    .query<{ outcome: string; answer: string; responder: string | null }, []>(
      "SELECT outcome, answer, responder FROM turns ORDER BY created_at DESC, id DESC LIMIT 1",
    )
    .get();

describe("an answer by the model", () => {
  test("is streamed with its citations as links, and stored with what it cost", async () => {
    const { docent } = await start({
      reply: { text: "Run the installer [1], or brew [2].", promptTokens: 345 },
    });
    const { text, parts } = await ask(docent);
    expect(text).toMatch(
      /^Run the installer \[\[1\]\]\(https:\/\/docs\.acme\.example\/guide\/install#linux\), or brew \[\[2\]\]\(https:\/\/docs\.acme\.example\/[^)]*\)\./,
    );
    expect(parts.filter(({ code }) => code === "h")).toHaveLength(2);
    expect(parts.at(-1)?.value).toMatchObject({ finishReason: "stop", usage: { promptTokens: 345 } });
    const turn = databaseOf(docent.app).query("SELECT * FROM turns").get();
    expect(turn).toMatchObject({
      outcome: "answered",
      responder: "ollama",
      model: "tiny:latest",
      prompt_tokens: 345,
    });
    for (const name of [
      "retrieval_ms",
      "first_token_ms",
      "total_ms",
      "queue_ms",
      "prompt_tokens_estimated",
    ]) {
      expect(turn).toHaveProperty(name, expect.any(Number));
    }
  });

  test("that cites nothing is linked to what carries it", async () => {
    const { docent } = await start({
      reply: { text: "Run the installer from your terminal: sh install.sh." },
    });
    const { text, parts } = await ask(docent);
    expect(text).toStartWith(
      "Run the installer from your terminal: sh install.sh. [[1]](https://docs.acme.example/guide/install#linux)",
    );
    expect(parts.some(({ code }) => code === "h")).toBe(true);
  });

  test("that thinks has its thoughts as reasoning, and none in the answer", async () => {
    const models = [{ name: "thinker:latest", capabilities: ["completion", "thinking"] }];
    const { docent } = await start(
      { models, reply: { thinking: ["Hm", " well"], text: "Yes [1]." } },
      { thinking: "on" },
    );
    const { text, parts } = await ask(docent);
    expect(parts.filter(({ code }) => code === "g").map(({ value }) => value)).toEqual(["Hm", " well"]);
    expect(text).not.toContain("Hm");
  });

  for (const framing of ["split", "joined", "unterminated"] as const) {
    test(`arrives whole when its lines are ${framing}`, async () => {
      const { docent } = await start({ reply: { text: "Füße 😀 [1] 完", framing } });
      expect((await ask(docent)).text).toStartWith(
        "Füße 😀 [[1]](https://docs.acme.example/guide/install#linux) 完",
      );
    });
  }

  test("that repeats itself without end is ended", async () => {
    const { docent, ollama } = await start(
      { reply: { text: "again ", endless: true } },
      { answer_tokens: "5000" },
    );
    const { parts } = await ask(docent);
    expect(parts.at(-1)).toMatchObject({ code: "d", value: { finishReason: "length" } });
    await ollama.until(() => ollama.chats[0]?.aborted === true);
  });

  test("is not asked for where the docs do not cover the question: the model may only put it in other words", async () => {
    const { docent, ollama } = await start();
    const { text } = await ask(docent, question("What is the airspeed of an unladen swallow?"));
    expect(text).toBe("The documentation doesn't cover this.");
    expect(ollama.chats.map(({ body }) => JSON.stringify(body).includes("<passages>"))).toEqual([false]);
  });

  test("sends num_ctx, num_predict, think and keep_alive every time, and the page the reader is on", async () => {
    const { docent, ollama } = await start(
      {},
      { context_tokens: "4096", answer_tokens: "256", keep_alive_seconds: "-1" },
    );
    await ask(docent, { ...ASKED, currentPath: "/guide/install" });
    expect(ollama.chats[0]?.body).toMatchObject({
      stream: true,
      think: false,
      keep_alive: -1,
      options: { num_ctx: 4096, num_predict: 256 },
    });
    expect(ollama.chats[0]?.body.messages.at(-1)?.content).toContain("guide/install");
  });

  test("sees an image only where the model can see", async () => {
    const image = { url: "data:image/png;base64,iVBORw0KGgo=", contentType: "image/png" };
    const body = { fp: "x", messages: [{ ...ASKED.messages[0], experimental_attachments: [image] }] };
    for (const [capabilities, images] of [
      [["completion", "vision"], 1],
      [["completion"], 0],
    ] as const) {
      const { docent, ollama } = await start({
        models: [{ name: "m:latest", capabilities: [...capabilities] }],
      });
      await ask(docent, body);
      expect(ollama.chats[0]?.body.messages.at(-1)?.images ?? []).toHaveLength(images);
    }
  });
});

describe("what breaks before the first word is answered by quoting", () => {
  const CASES: [name: string, reply: keyof typeof refusals][] = [
    ["Ollama is busy (503)", "busy"],
    ["the model is gone (404)", "notFound"],
    ["the model crashed (500)", "crashed"],
    ["a proxy answers with a page (502)", "proxyPage"],
    ["a proxy answers 200 with a page", "loginPage"],
    ["access is denied with an empty body (403)", "forbidden"],
    ["the request is not understood (400)", "badRequest"],
  ];
  for (const [name, reply] of CASES) {
    test(name, async () => {
      const { docent } = await start({ reply: refusals[reply] });
      const { wire, text, parts } = await ask(docent);
      expect(text).toContain("This is what the documentation says, word for word:");
      expect(parts.findLast(({ code }) => code === "8")?.value).toMatchObject([
        { outcome: "quoted", responder: "extractive" },
      ]);
      expect(wire).not.toContain("UPSTREAM-SECRET");
    });
  }

  test("Ollama refuses the connection, and is used again when it is back", async () => {
    const { docent, ollama } = await start();
    await ask(docent);
    await ollama.stop();
    expect((await ask(docent)).text).toContain("word for word");
    ollama.restart();
    // The failure was noticed, so the next question looks again.
    const { parts } = await ask(docent);
    expect(parts.findLast(({ code }) => code === "8")?.value).toMatchObject([{ responder: "ollama" }]);
  });

  test("no model that can chat is installed", async () => {
    const { docent } = await start({
      models: [{ name: "minilm:latest", capabilities: ["embedding"], family: "bert" }],
    });
    expect((await ask(docent)).text).toContain("word for word");
  });

  test("the queue is full", async () => {
    const { docent, ollama } = await start(
      { reply: { text: "slow", firstTokenMs: 60_000 } },
      { queue_length: "0" },
    );
    const abort = new AbortController();
    const first = docent.post(ASKED, { signal: abort.signal }).then((reply) => reply.text());
    first.catch(() => {});
    await ollama.until(() => ollama.chats.length === 1);
    expect((await ask(docent)).text).toContain("word for word");
    abort.abort();
    await first.catch(() => {});
    await ollama.until(() => ollama.chats[0]?.aborted === true);
  });

  test("and with fallback set to error it is a 503, or an error in the stream once that has begun", async () => {
    const { docent, ollama } = await start({ reply: refusals.crashed }, { fallback: "error" });
    const { parts, wire } = await ask(docent);
    expect(parts.at(-1)?.code).toBe("3");
    expect(wire).not.toContain("UPSTREAM-SECRET");
    expect(lastOutcome(docent)).toMatchObject({ outcome: "failed" });
    await ollama.stop();
    const { reply } = await ask(docent);
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("what breaks after the first word is said, and what was written is kept", () => {
  for (const end of ["error", "eof"] as const) {
    test(end === "error" ? "an error line in mid-stream" : "an end without done", async () => {
      const { docent } = await start({ reply: { text: "Half of the", end } });
      const { wire, text, parts } = await ask(docent);
      expect(text).toBe("Half of the");
      expect(parts.at(-1)).toEqual({
        code: "3",
        value: "The answer broke off because of a problem on the server. Please try again.",
      });
      expect(wire).not.toContain("UPSTREAM-SECRET");
      expect(lastOutcome(docent)).toEqual({ outcome: "failed", answer: "Half of the", responder: "ollama" });
    });
  }

  test("silence in mid-stream for longer than the setting", async () => {
    using late = timersOf(3_599_000);
    const { docent, ollama } = await start(
      { reply: { text: "Half of the", end: "hang" } },
      { idle_seconds: "3599" },
    );
    const asking = ask(docent);
    await late.endNext();
    const { parts } = await asking;
    expect(parts.at(-1)?.code).toBe("3");
    await ollama.until(() => ollama.chats[0]?.aborted === true);
  });

  test("an owner's own sentence is what the reader is told", async () => {
    const { docent } = await start({ reply: { text: "Half", end: "error" } });
    await docent.app.parts.people.sites.set("acme", { settings: { phrases: { failed: "Oops, call Ann." } } });
    expect((await ask(docent)).parts.at(-1)?.value).toBe("Oops, call Ann.");
  });
});

describe("a reader who leaves", () => {
  for (const [when, reply] of [
    ["before the first word", { text: "x", firstTokenMs: 60_000 }],
    ["in the middle of the answer", { text: ["word "], endless: true, tokenMs: 5 }],
  ] as const) {
    test(`${when} costs nothing: Ollama is told, and the slot is free`, async () => {
      const { docent, ollama } = await start();
      ollama.replyWith({ ...reply, text: [...reply.text] }, { text: "Next [1]." });
      const abort = new AbortController();
      let read = "";
      const reading = docent.post(ASKED, { signal: abort.signal }).then(async (response) => {
        for await (const chunk of response.body ?? []) read += new TextDecoder().decode(chunk);
      });
      await ollama.until(() => ollama.chats.length === 1);
      if (when !== "before the first word") await ollama.until(() => read.includes('0:"word'));
      abort.abort();
      await reading.catch(() => {});
      await ollama.until(() => ollama.chats[0]?.aborted === true);
      await ollama.until(() => lastOutcome(docent)?.outcome === "stopped");
      expect((await ask(docent)).text).toStartWith("Next");
    });
  }

  test("while waiting in the queue leaves the queue", async () => {
    const held = Promise.withResolvers<void>();
    const { docent, ollama } = await start({
      reply: { text: ["word ", "word "], beforeToken: () => held.promise },
    });
    const { load } = docent.app.parts.answers.ollama;
    const first = docent.post(ASKED).then((reply) => reply.text());
    await ollama.until(() => ollama.chats.length === 1);
    const abort = new AbortController();
    const second = docent.post(ASKED, { signal: abort.signal }).then((reply) => reply.text());
    second.catch(() => {});
    await ollama.until(() => load().waiting === 1);
    abort.abort();
    await ollama.until(() => load().waiting === 0);
    held.resolve();
    await first;
    await ollama.until(() => lastOutcome(docent)?.outcome !== null);
    // What was in line behind the first would be served before this.
    await ask(docent);
    expect(ollama.chats).toHaveLength(2);
  });
});

test("one question at a time reaches the model", async () => {
  const { docent, ollama } = await start({ reply: { text: "a b c [1]", tokenMs: 5 } });
  await Promise.all(Array.from({ length: 5 }, () => ask(docent)));
  expect(ollama.chats).toHaveLength(5);
  expect(ollama.mostAtOnce).toBe(1);
});

test("a stream that has nothing to say sends signs of life that clients skip", async () => {
  const { docent } = await start(
    { reply: { text: "Late [1].", firstTokenMs: 2500 } },
    { heartbeat_seconds: "1" },
  );
  const { wire, text } = await ask(docent);
  expect(text).toStartWith("Late");
  expect(wire).toContain("\n\n");
  expect(partsOf(wire).at(-1)?.code).toBe("d");
});

test("a server that is told to stop lets a running answer finish, and takes no new one", async () => {
  const held = Promise.withResolvers<void>();
  const { docent } = await start(
    { reply: { text: ["word ", "word "], beforeToken: () => held.promise } },
    { shutdown_seconds: "3600" },
  );
  const reply = await docent.post(ASKED);
  const closing = docent.app.close();
  const refused = await fetch(`${docent.url}/health/live`).then(
    () => false,
    () => true,
  );
  expect(refused).toBe(true);
  held.resolve();
  const wire = await reply.text();
  expect(partsOf(wire).at(-1)?.code).toBe("d");
  await closing;
});

test("a server that is told to stop ends what does not finish in time, says so, and keeps what was written", async () => {
  const { docent, ollama } = await start({ reply: { text: "word", end: "hang" } }, { shutdown_seconds: "0" });
  const reply = await docent.post(ASKED);
  let read = "";
  const reading = (async () => {
    for await (const chunk of reply.body ?? []) read += new TextDecoder().decode(chunk);
  })().catch(() => {});
  await ollama.until(() => read.includes('0:"word'));
  await docent.app.close();
  await reading;
  expect(read).toContain('3:"The server is stopping.');
  await ollama.until(() => ollama.chats[0]?.aborted === true);
  const { openParts } = await import("../../src/running/app.ts");
  const { testSurroundings } = await import("../helpers/docent.ts");
  const parts = await openParts(testSurroundings(docent.data));
  expect(databaseOf({ parts }).query("SELECT outcome, answer FROM turns").all()).toEqual([
    { outcome: "failed", answer: "word" },
  ]);
  parts.close();
});
