import { afterEach, describe, expect, test } from "bun:test";
import { createEnricher, type StepOutcome } from "../../../src/finding/enrich/enrich.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/lib/clock.ts";
import { openParts } from "../../../src/running/app.ts";
import type { SiteSettings } from "../../../src/sites/site/settings.ts";
import { databaseOf } from "../../helpers/database-of.ts";
import { testSurroundings } from "../../helpers/docent.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { type FakeOllama, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { FakeReply } from "../../helpers/fake-ollama-replies.ts";
import { otherWriter } from "../../helpers/other-writer.ts";
import { publishPages, sourceSpec, stagedPage } from "../../helpers/page-data.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { responderRequest } from "../../helpers/responder-request.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const { signal } = new AbortController();
let ollama: FakeOllama | undefined;
afterEach(() => ollama?.stop());

const textOf = (name: string) =>
  `The ${name} is set in the file of settings, where each line names one thing and says what it shall be from now on.`;
/** What a well-behaved model writes of such a text. */
const writing = (name: string) =>
  JSON.stringify({
    questions: [`Where do I change the ${name}?`, `Which file has the ${name}?`, `How is the ${name} told?`],
    words: ["preferences", `${name} option`],
  });

interface Opening {
  names?: string[];
  settings?: Record<string, string>;
  /** How long the model writes, on the clock that is passed in. */
  writingMs?: number;
  passageMs?: number;
}

/** A site of one passage for each name, and a model that writes of them. */
async function opened({
  names = ["alpha", "beta", "gamma"],
  settings,
  writingMs = 0,
  passageMs,
}: Opening = {}) {
  const fake = startFakeOllama();
  ollama = fake;
  const directory = temporaryDirectory();
  const time = fakeClock();
  const surroundings = testSurroundings(directory.path, {
    ollama: fake.url,
    clock: time.clock,
    ...(settings ? { settings } : {}),
  });
  const parts = await openParts(surroundings, { locked: true });
  const { content } = parts.storage;
  const added = await parts.people.sites.add({ domain: "acme", settings: { enrichment: "prepare" } });
  const source = await content.sources.open(sourceSpec(added.id), time.clock());
  async function publish(some: string[], removed: string[] = []): Promise<void> {
    const pages = some.map((name) => stagedPage(name, textOf(name)));
    await publishPages(content.ingest, source, pages, removed);
    await parts.content.index.catchUp(added.id, { signal });
  }
  await publish(names);
  /** What the model writes of each passage; undefined to write well. */
  let decide: (name: string, index: number) => FakeReply | undefined = () => undefined;
  const askedFor = (chat: FakeOllama["chats"][number]) =>
    /The (\w+) is set/.exec(chat.body.messages.at(-1)?.content ?? "")?.[1] ?? "";
  fake.script((chat, index) => {
    time.advance(writingMs);
    return decide(askedFor(chat), index) ?? { text: writing(askedFor(chat)) };
  });
  const enricher = createEnricher({
    settings: surroundings.config,
    store: content.enrichments,
    writer: parts.answers.ollama.background,
    reach: parts.content.search.reach,
    index: async () => {},
    clock: time.clock,
    log: surroundings.log,
    ...(passageMs === undefined ? {} : { passageMs }),
  });
  const site = () => parts.people.sites.get("acme");
  return {
    ...time,
    directory: directory.path,
    parts,
    enricher,
    publish,
    logged: surroundings.logged,
    fake,
    site,
    step: async (within = signal) => enricher.step(await site(), within),
    /** Steps until one is not done. */
    async run(): Promise<StepOutcome> {
      for (;;) {
        const outcome = await enricher.step(await site(), signal);
        if (outcome !== "done") return outcome;
      }
    },
    write(next: typeof decide) {
      decide = next;
    },
    set: (change: Partial<Pick<SiteSettings, "enrichment" | "model">>) =>
      parts.people.sites.set("acme", { settings: change }),
    counts: async () => content.enrichments.counts((await site()).id),
    written: async () =>
      (await content.enrichments.samples((await site()).id, 10)).map(({ path }) => path).sort(),
    /** The passages that the model was asked to read, in order. */
    asked: () => fake.chats.map(askedFor),
    [Symbol.dispose]() {
      parts.close();
      directory[Symbol.dispose]();
    },
  };
}

describe("a model that writes for search", () => {
  test("is asked for each passage once, in JSON, in the context that answers have", async () => {
    using it = await opened();
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["alpha", "beta", "gamma"]);
    expect(await it.counts()).toEqual({ written: 3, refused: 0 });
    const [first] = it.fake.chats;
    expect(first?.body).toMatchObject({
      model: "tiny:latest",
      format: { type: "object", required: ["questions", "words"] },
      think: false,
      options: { num_ctx: 8192, temperature: 0 },
    });
    const [sample] = await it.parts.storage.content.enrichments.samples((await it.site()).id, 1);
    expect(sample).toMatchObject({ model: "tiny:latest", madeAt: it.clock(), questions: { length: 3 } });
  });

  test("that writes rubbish is not asked again for that passage, and the next one is done", async () => {
    using it = await opened();
    it.write((name) => (name === "beta" ? { text: "I would rather tell a joke." } : undefined));
    expect(await it.run()).toBe("none");
    expect(await it.counts()).toEqual({ written: 2, refused: 1 });
    expect(await it.written()).toEqual(["alpha", "gamma"]);
    it.advance(DAY_MS);
    expect(await it.run()).toBe("none");
    expect(it.asked()).toHaveLength(3);
  });

  test("is asked for tasks and problems first, and for lists of changes last", async () => {
    using it = await opened({ names: ["changelog", "alpha", "troubleshooting", "beta"] });
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["troubleshooting", "alpha", "beta", "changelog"]);
  });

  test("is taken at its word only where a question leads to its passage", async () => {
    const names = Array.from(
      { length: 60 },
      (_, index) => `name${String.fromCharCode(97 + (index % 26))}${index}`,
    );
    using it = await opened({ names });
    const questions = ["Where are the opening hours of the museum?"];
    it.write((name) =>
      name === names[0] ? { text: JSON.stringify({ questions, words: ["museum"] }) } : undefined,
    );
    for (let index = 0; index < 3; index++) expect(await it.step()).toBe("done");
    expect(await it.counts()).toEqual({ written: 2, refused: 1 });
    expect(await it.written()).not.toContain(names[0]);
  });

  test("that writes without end is stopped", async () => {
    using it = await opened({ names: ["alpha"] });
    it.write(() => ({ text: ['{"questions": ["'.padEnd(500, "x")], endless: true }));
    expect(await it.run()).toBe("none");
    expect(await it.counts()).toEqual({ written: 0, refused: 1 });
    await it.fake.until(() => it.fake.chats[0]?.aborted === true);
  });

  test("that hangs is left, work rests, and others are tried before that passage", async () => {
    // Long enough for the question to reach the model on a busy machine.
    using it = await opened({ passageMs: 1000 });
    it.write((name, index) => (name === "alpha" && index === 0 ? { text: ["{"], end: "hang" } : undefined));
    expect(await it.step()).toBe("away");
    expect(await it.step()).toBe("away");
    expect(it.asked()).toEqual(["alpha"]);
    it.advance(MINUTE_MS);
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["alpha", "beta", "gamma"]);
    it.advance(60 * MINUTE_MS);
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["alpha", "beta", "gamma", "alpha"]);
    expect(await it.counts()).toEqual({ written: 3, refused: 0 });
  });

  test("that is taken away in the middle is asked again later and later; that is said once", async () => {
    using it = await opened();
    expect(await it.step()).toBe("done");
    await it.fake.stop();
    for (const minutes of [1, 2, 4]) {
      expect(await it.step()).toBe("away");
      it.advance(minutes * MINUTE_MS - 1);
      expect(await it.step()).toBe("away");
      it.advance(1);
    }
    it.fake.restart();
    it.advance(60 * MINUTE_MS);
    expect(await it.run()).toBe("none");
    expect(await it.counts()).toEqual({ written: 3, refused: 0 });
    expect(it.logged.filter((line) => line.includes("rests"))).toHaveLength(1);
  });

  test("that runs on another machine is not asked", async () => {
    using it = await opened({ settings: { model: "cloud:latest" } });
    it.fake.models = [{ name: "cloud:latest", remoteHost: "https://elsewhere.example" }];
    expect(await it.run()).toBe("away");
    expect(it.fake.chats).toEqual([]);
    expect(it.logged.join()).toContain("runs on another machine");
  });
});

describe("the time for it", () => {
  test("is bounded by the day, for all sites together, on the clock that is passed in", async () => {
    using it = await opened({ settings: { enrichment_minutes_per_day: "5" }, writingMs: 3 * MINUTE_MS });
    expect([await it.step(), await it.step(), await it.step()]).toEqual(["done", "done", "spent"]);
    const again = await it.enricher.step(await it.site(), signal);
    expect(again).toBe("spent");
    it.advance(DAY_MS);
    expect([await it.step(), await it.step()]).toEqual(["done", "none"]);
    expect(it.asked()).toEqual(["alpha", "beta", "gamma"]);
  });

  test("of nothing a day is none", async () => {
    using it = await opened({ settings: { enrichment_minutes_per_day: "0" } });
    expect(await it.step()).toBe("spent");
    expect(it.fake.chats).toHaveLength(0);
  });

  test("is only while nobody asks: work gives way at once, and comes back when it has been quiet", async () => {
    using it = await opened();
    const stopped = new AbortController();
    it.write((_, index) => (index === 0 ? { text: ["{"], end: "hang" } : undefined));
    const step = it.step();
    await it.fake.until(() => it.fake.chats.length === 1);
    const reading = (async () => {
      for await (const _ of it.parts.answers.ollama.responder.respond(responderRequest(), stopped.signal)) {
        // A reader reads.
      }
    })();
    expect(await step).toBe("busy");
    await it.fake.until(() => it.fake.chats[0]?.aborted === true);
    await reading;
    expect(await it.step()).toBe("busy");
    it.advance(20_000);
    it.write(() => undefined);
    expect(await it.run()).toBe("none");
    expect(await it.counts()).toEqual({ written: 3, refused: 0 });
  });

  test("counts, and what was written is kept, also where the database was away when the model had written it", async () => {
    using it = await opened({ settings: { enrichment_minutes_per_day: "5" }, writingMs: 3 * MINUTE_MS });
    const writer = otherWriter(it.directory, databaseOf(it));
    it.write((_, index) => {
      if (index === 0) writer.begin();
      return undefined;
    });
    expect(await it.step()).toBe("away");
    it.advance(MINUTE_MS);
    expect((await appErrorOf(() => it.step())).code).toBe("unavailable");
    writer.end();
    expect([await it.step(), await it.step(), await it.step()]).toEqual(["done", "done", "spent"]);
    expect(it.asked()).toEqual(["alpha", "beta"]);
    expect(await it.counts()).toEqual({ written: 2, refused: 0 });
  });

  test("ends with the server, and what was written stays", async () => {
    using it = await opened();
    const stop = new AbortController();
    expect(await it.step(stop.signal)).toBe("done");
    it.write(() => ({ text: ["{"], end: "hang" }));
    const step = it.step(stop.signal);
    await it.fake.until(() => it.fake.chats.length === 2);
    stop.abort(new DOMException("The server stops", "AbortError"));
    expect(step).rejects.toThrow("The server stops");
    await step.catch(() => {});
    expect(await it.counts()).toEqual({ written: 1, refused: 0 });
  });
});

describe("what changes in the docs", () => {
  test("is written for anew, and what stays is not", async () => {
    using it = await opened();
    await it.run();
    await it.publish(["delta"], ["alpha"]);
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["alpha", "beta", "gamma", "delta"]);
    expect(await it.written()).toEqual(["beta", "delta", "gamma"]);
  });

  test("is not written for twice where several passages are the same", async () => {
    using it = await opened({ names: ["alpha"] });
    const { content } = it.parts.storage;
    const { id } = await it.site();
    const source = await content.sources.open(sourceSpec(id, { location: "/elsewhere" }), it.clock());
    await publishPages(content.ingest, source, [stagedPage("copy", textOf("alpha"), { title: "alpha" })]);
    await it.parts.content.index.catchUp(id, { signal });
    expect(await it.run()).toBe("none");
    expect(it.asked()).toEqual(["alpha"]);
    expect(await it.counts()).toEqual({ written: 1, refused: 0 });
  });
});
