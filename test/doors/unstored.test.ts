import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { type FullDisk, fillDisk } from "../helpers/full-disk.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

// Answers of a server whose database can be read and not written.

const ASKED = "How do I install Acme on Linux?";

let docent: TestDocent;
beforeAll(async () => {
  // What is written unasked fails, too.
  docent = await startDocent({ settings: { metrics: "on" } });
});
afterAll(() => docent.close());

let disk: FullDisk;
const asking = (more: Record<string, unknown> = {}, content = ASKED) => question(content, more);

const stored = () =>
  databaseOf(docent.app)
    .query<{ questions: number }>("SELECT count(*) AS questions FROM turns WHERE thread_id <> 'filler'")
    .get()?.questions;
const storedAnswers = (text: string) =>
  databaseOf(docent.app)
    .query<{ answer: string; outcome: string; thread: string }>(
      "SELECT answer, outcome, thread_id AS thread FROM turns WHERE question = ? ORDER BY position",
    )
    .all(text);

async function metric(name: string): Promise<number> {
  const measured = await (await fetch(`${docent.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(measured)?.[1]);
}

const readiness = async () => {
  const reply = await fetch(`${docent.url}/health/ready`);
  return [reply.status, await reply.json()];
};

async function makeRoom(): Promise<void> {
  await disk.free();
  while ((await readiness())[1].unstored) await Bun.sleep(20);
}

const linesOf = (event: string) =>
  docent.logged.map((line) => JSON.parse(line)).filter((line) => line.event === event);

const send = (path: string, body: unknown, more: RequestInit = {}) =>
  fetch(`${docent.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${docent.key}` },
    body: JSON.stringify(body),
    ...more,
  });

const v2 = (content: string, more: Record<string, unknown> = {}) => ({
  fp: "reader",
  messages: [{ id: `m${content}`, role: "user", parts: [{ type: "text", text: content }] }],
  ...more,
});

/** Another id that differs in its last character alone. */
const nearly = (id: string) => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;

async function threadIdOf(reply: Response): Promise<string> {
  const id = reply.headers.get("x-thread-id");
  await reply.text();
  return id ?? "";
}

beforeEach(() => docent.logged.splice(0));

describe("where nothing can be stored", () => {
  test("questions are answered whole through every door, searches too, and all are stored once there is room", async () => {
    const healthy = textOf(await (await docent.post(question(ASKED))).text());
    const before = stored();
    disk = await fillDisk(docent);
    const total = await metric("docent_answers_unstored_total");

    const v1 = await docent.post(asking());
    const wire = await v1.text();
    expect([v1.status, textOf(wire)]).toEqual([200, healthy]);
    expect(partsOf(wire).map(({ code }) => code)).not.toContain("3");

    const inV2 = await send("/v2/assistant/acme/message", v2(ASKED));
    const events = await inV2.text();
    expect([inV2.status, events.includes('"type":"error"')]).toEqual([200, false]);
    expect(events).toContain('"type":"finish"');

    const chat = { model: "acme", messages: [{ role: "user", content: ASKED }] };
    const openai = await send("/v1/chat/completions", chat);
    expect(openai.status).toBe(200);
    expect((await openai.json()).choices[0].message.content).not.toBe("");

    const found = await send("/v1/search/acme", { query: "linux" });
    expect([found.status, (await found.json()).results?.length ?? 0]).toEqual([200, expect.any(Number)]);

    expect(await readiness()).toEqual([200, { status: "ok", unstored: true }]);
    const health = await runInProcess(["health", "--port", new URL(docent.url).port, "--json"]);
    expect([health.code, JSON.parse(health.out)]).toMatchObject([0, { ready: true, unstored: true }]);
    expect(stored()).toBe(before);
    expect(await metric("docent_answers_unstored_total")).toBe(total + 3);
    expect(linesOf("answers are not stored")).toMatchObject([{ level: "warn", hint: expect.any(String) }]);

    await makeRoom();
    expect(await readiness()).toEqual([200, { status: "ok" }]);
    expect(stored()).toBe((before ?? 0) + 3);
    expect(linesOf("answers are stored again")).toMatchObject([{ answers: 3, storedLater: 3, lost: 0 }]);
    expect(storedAnswers(ASKED).map(({ outcome }) => outcome)).not.toContain(null);
  });

  test("a conversation goes on: one that was stored, one that begins meanwhile, and both afterwards", async () => {
    const old = await threadIdOf(await docent.post(question("Which port does it use?")));
    disk = await fillDisk(docent);
    expect(await threadIdOf(await docent.post(asking({ threadId: old }, "Why that port?")))).toBe(old);
    const fresh = await threadIdOf(await docent.post(asking({}, "How is it removed?")));
    expect(fresh).not.toBe(old);
    expect(await threadIdOf(await docent.post(asking({ threadId: fresh }, "And on Windows?")))).toBe(fresh);
    await makeRoom();
    expect(await threadIdOf(await docent.post(question("And on macOS?", { threadId: fresh })))).toBe(fresh);
    for (const [text, thread] of [
      ["Why that port?", old],
      ["How is it removed?", fresh],
      ["And on Windows?", fresh],
      ["And on macOS?", fresh],
    ] as const)
      expect(storedAnswers(text)).toMatchObject([{ thread, answer: expect.stringMatching(/./) }]);
  });

  test("a thread that nobody began, or that is another site's, is none; nobody chooses an id", async () => {
    const own = await threadIdOf(await docent.post(question("Which port does it use now?")));
    disk = await fillDisk(docent);
    const waiting = await threadIdOf(await docent.post(asking({}, "How is it updated?")));
    const other = await docent.app.parts.people.sites.list();
    expect(other).toHaveLength(1);
    for (const threadId of ["0123456789ABCDEFGHJKMNPQRS", nearly(waiting), nearly(own)]) {
      const reply = await docent.post(asking({ threadId }, "And then?"));
      expect(reply.status).toBe(404);
    }
    await makeRoom();
  });

  test("limits go on counting", async () => {
    const small = await startDocent({ settings: { address_messages_per_minute: "2" } });
    try {
      const full = await fillDisk(small);
      const statuses: number[] = [];
      for (let asked = 0; asked < 4; asked++) {
        const reply = await small.post(asking({}, `How do I install it ${asked}?`), {
          headers: { origin: "https://docs.acme.example" },
        });
        await reply.text();
        statuses.push(reply.status);
      }
      expect(statuses).toEqual([200, 200, 429, 429]);
      await full.free();
    } finally {
      await small.close();
    }
  });

  test("the dashboard says it to the server's own, with how many answers it is about, and until it is over", async () => {
    const { adminKeys } = docent.app.parts.people;
    const { text: key } = await adminKeys.create({ name: "s", organizationId: undefined, mayWrite: false });
    const wrong = async () => {
      const reply = await fetch(`${docent.url}/v1/admin/wrong-now`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { wrong } = (await reply.json()) as { wrong: { title: string; text: string }[] };
      return wrong.filter(({ title }) => title === "Answers are not stored").map(({ text }) => text);
    };
    expect(await wrong()).toEqual([]);
    disk = await fillDisk(docent);
    await (await docent.post(asking({}, "How do I test it?"))).text();
    expect(await wrong()).toEqual([expect.stringContaining("1 answer was given so far")]);
    await makeRoom();
    expect(await wrong()).toEqual([]);
  });

  test("what is given meanwhile and must be stored says that it cannot be", async () => {
    const first = await docent.post(question(ASKED));
    const messageId = first.headers.get("x-message-id");
    const threadId = first.headers.get("x-thread-id");
    await first.text();
    disk = await fillDisk(docent);
    const comment = "word ".repeat(1000);
    const given = { threadId, messageId, helpful: false, comment };
    const reply = await send("/v1/feedback/acme", given);
    expect(reply.status).toBe(503);
    await makeRoom();
  });
});
