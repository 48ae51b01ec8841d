import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseQuestions } from "../../src/measuring/eval/datasets/questions-file.ts";
import type { AdminReply } from "../helpers/admin-door.ts";
import { type AnalyticsDoor, startAnalyticsDoor } from "../helpers/analytics-door.ts";

const LINUX = "How do I install Acme on Linux?";
const plain = (text: string) => text.replace(/"requestId":"\w+"/, "");

let door: AnalyticsDoor;
let said: { threadId: string; messageId: string }[];
beforeAll(async () => {
  door = await startAnalyticsDoor();
  const first = await door.asked(LINUX, { currentPath: "/guide/install", fp: "ann" });
  const second = await door.asked("And on macOS?", { threadId: first.threadId });
  const third = await door.asked("zzqx wvvk blorptastic?");
  await door.send("/v1/feedback/acme", { ...first, helpful: false, comment: "For version 2." });
  said = [first, second, third];
});
afterAll(() => door.close());

const analytics = (method: string, path: string, init: Parameters<AnalyticsDoor["ask"]>[2] = {}) =>
  door.ask(method, `/../analytics${path}`, init);
const idOf = (index: number) => said[index]?.messageId ?? "";
const turn = async (index: number): Promise<Record<string, unknown>> =>
  Object((await door.read(`/acme/conversations/${idOf(index)}`)).body);

describe("the list of conversations", () => {
  const ids = async (query: string) =>
    (await door.list(`/acme/conversations?${query}`, "conversations")).map(({ id }) => id);

  test("has what was asked, newest first, and names no thread", async () => {
    const { text, body } = await door.read("/acme/conversations");
    expect(Object(body).conversations.map(({ id }: { id: string }) => id)).toEqual([
      idOf(2),
      idOf(1),
      idOf(0),
    ]);
    expect(Object(body).conversations[2]).toMatchObject({
      askedAt: "2026-01-02T03:04:06.000Z",
      question: LINUX,
      outcome: "quoted",
      caller: "api",
      currentPath: "guide/install",
      helpful: false,
      comment: "For version 2.",
      cached: false,
    });
    expect(body).toMatchObject({ hasMore: false, nextCursor: null, lookedBackTo: null });
    expect(text).not.toContain(said[0]?.threadId ?? "?");
  });

  test.each<[string, number[]]>([
    ["outcome=unanswered", [2]],
    ["outcome=quoted,curated,answered", [1, 0]],
    ["helpful=false", [0]],
    ["helpful=true", []],
    ["caller=api", [2, 1, 0]],
    ["caller=mcp", []],
    ["text=LINUX acme", [0]],
    ["text=blorptastic", [2]],
    ["text=%25", []],
    ["text=", [2, 1, 0]],
    ["outcome=quoted&text=macos", [1]],
    ["outcome=quoted&text=blorptastic", []],
    ["dateFrom=2026-01-02T03:04:08Z", [2]],
  ])("is narrowed by %s", async (query, expected) => {
    expect(await ids(query)).toEqual(expected.map(idOf));
  });

  test("comes part by part, none twice and none left out while new ones come in", async () => {
    const seen: unknown[] = [];
    let cursor = "";
    for (let part = 0; part < 9; part++) {
      const query = `limit=1&outcome=quoted,unanswered&dateTo=2026-01-02T03:04:09Z${cursor}`;
      const { body } = await door.read(`/acme/conversations?${query}`);
      const { conversations, nextCursor, hasMore } = Object(body);
      seen.push(...conversations.map(({ id }: { id: string }) => id));
      expect(hasMore).toBe(nextCursor !== null);
      if (nextCursor === null) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
      await door.asked(`Something new ${part}?`);
    }
    expect(seen).toEqual([idOf(2), idOf(1), idOf(0)]);
  });

  test.each([
    ["outcome=good", "outcome[0]"],
    ["outcome=", "outcome[0]"],
    ["helpful=1", "helpful"],
    ["caller=me", "caller"],
    ["limit=0", "limit"],
    ["cursor=x", "cursor"],
    [`text=${"x".repeat(201)}`, "text"],
    ["dateFrom=2026-02-01&dateTo=2026-01-01", "dateTo"],
  ])("is refused for %s, with the place of the fault", async (query, path) => {
    const { status, body } = await door.read(`/acme/conversations?${query}`);
    expect([status, body]).toMatchObject([400, { code: "invalid_request", details: [{ path }] }]);
  });
});

describe("a conversation", () => {
  test("is all that is kept of an answer, without the thread's id", async () => {
    const { text } = await door.read(`/acme/conversations/${idOf(0)}`);
    expect(await turn(0)).toMatchObject({
      id: idOf(0),
      question: LINUX,
      searched: LINUX,
      outcome: "quoted",
      reader: "ann",
      generation: 1,
      responder: "extractive",
      model: null,
      cached: false,
      replacedAt: null,
      helpful: false,
      comment: "For version 2.",
      currentPath: "guide/install",
      timings: { totalMs: 0 },
      thread: [{ id: idOf(0) }, { id: idOf(1), question: "And on macOS?" }],
    });
    expect(text).not.toContain(said[0]?.threadId ?? "?");
  });

  test("shows the passages that were found with what they say, and which of them it cites", async () => {
    const { passages } = await turn(0);
    expect(passages).toContainEqual({
      path: "guide/install",
      anchor: "linux",
      href: "/guide/install#linux",
      relevance: expect.any(Number),
      citedUrl: "https://docs.acme.example/guide/install#linux",
      page: "same",
      content: {
        title: "Install Acme",
        headingPath: ["Install Acme", "Linux"],
        version: "",
        language: "",
        text: expect.stringContaining("installer"),
      },
    });
  });

  test("can be made a curated answer: its draft is taken, and its links are the site's own", async () => {
    const { drafts } = Object(await turn(0));
    const { name, questions, markdown } = drafts.answer;
    expect([name, questions]).toEqual(["how-do-i-install-acme-on-linux", [LINUX]]);
    expect(markdown).toContain("](/guide/install#linux)");
    expect(markdown).not.toContain("docs.acme.example");
    expect(markdown).not.toContain("suggestions");
    const file = `---\nquestions:\n  - ${JSON.stringify(questions[0])}\n---\n\n${markdown}`;
    const saved = await door.ask("PUT", `/sites/acme/answers/${name}`, { body: { markdown: file } });
    expect([saved.status, saved.body]).toMatchObject([200, [{ questions: [LINUX], concerns: [] }]]);
    const { messageId } = await door.asked(LINUX);
    const reply = await door.read(`/acme/conversations/${messageId}`);
    expect(reply.body).toMatchObject({ outcome: "curated", curated: name });
    await door.expectStatus(204, "DELETE", `/sites/acme/answers/${name}`);
  });

  test.each([
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/evaluation"],
  ])("of another site is that of none: %s %s", async (method, below) => {
    const ask = (id: string) => analytics(method, `/rival/conversations/${id}${below}`, { as: "server" });
    const [foreign, missing] = [await ask(idOf(0)), await ask("none")];
    expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
  });
});

test("a passage says whether readers still find its page as it was", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docent-pages-"));
  const own = await startAnalyticsDoor({ docs: null });
  try {
    const { parts } = own.app;
    const write = async (files: Record<string, string | null>) => {
      for (const [name, markdown] of Object.entries(files))
        markdown === null ? rmSync(join(folder, name)) : await Bun.write(join(folder, name), markdown);
      const site = await parts.people.sites.get("acme");
      await parts.sources.ingest.run({
        source: { siteId: site.id, kind: "folder", location: folder, version: "", language: "" },
        reader: parts.sources.readFolder(folder),
        generation: site.generation,
        signal: new AbortController().signal,
      });
    };
    const teapot = (words: string) => `# Teapot ${words}\n\nThe teapot is filled with ${words} water.`;
    await write({ "a.md": teapot("hot"), "b.md": teapot("cold"), "c.md": teapot("green") });
    const { messageId } = await own.asked("How is the teapot filled with water?");
    const states = async () => {
      const { passages } = Object((await own.read(`/acme/conversations/${messageId}`)).body);
      return Object.fromEntries(
        passages.map((each: { path: string; page: string; content: { text: string } | null }) => [
          each.path,
          [each.page, each.content?.text.includes("water") ?? false],
        ]),
      );
    };
    expect(await states()).toEqual({ a: ["same", true], b: ["same", true], c: ["same", true] });
    await write({ "a.md": teapot("tepid"), "b.md": null });
    expect(await states()).toEqual({ a: ["changed", true], b: ["gone", true], c: ["same", true] });
  } finally {
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("questions to measure with", () => {
  const keep = (id: string, body: unknown, as: "own" | "ownRead" | "other" = "own") =>
    analytics("POST", `/acme/conversations/${id}/evaluation`, { as, body });

  test("are those of turns with what their answers cite, as docent eval reads them", async () => {
    const kept = await keep(idOf(0), { subset: "install" });
    expect([kept.status, kept.body]).toMatchObject([
      201,
      { messageId: idOf(0), question: LINUX, subset: "install", version: "", language: "" },
    ]);
    expect(Object(kept.body).expected).toContain("guide/install#linux");
    const changed = { question: " How, on Linux? ", expected: ["guide/install.md"], language: "en" };
    door.advance(1);
    const second = await keep(idOf(2), changed);
    expect(second.body).toMatchObject({ ...changed, question: "How, on Linux?" });
    const list = await door.read("/acme/evaluation");
    expect(list.body).toEqual([kept.body, second.body]);
    const file = await door.read("/acme/evaluation-set");
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="acme-questions.jsonl"');
    const questions = parseQuestions(file.text, "questions.jsonl", "https://docs.acme.example");
    expect(questions.map(({ text, subset, filter }) => ({ text, subset, filter }))).toEqual([
      { text: LINUX, subset: "install", filter: { language: undefined, version: undefined } },
      { text: "How, on Linux?", subset: "", filter: { language: "en", version: undefined } },
    ]);
    expect([...(questions[1]?.pages ?? [])]).toEqual([["guide/install", 1]]);
    const { id } = Object(second.body);
    expect((await analytics("DELETE", `/acme/evaluation/${id}`)).status).toBe(204);
    expect((await analytics("DELETE", `/acme/evaluation/${id}`)).status).toBe(404);
    expect(
      (await analytics("DELETE", `/rival/evaluation/${Object(kept.body).id}`, { as: "other" })).status,
    ).toBe(404);
    expect(Object((await door.read("/acme/evaluation")).body)).toHaveLength(1);
  });

  test.each([
    [2, {}, "expected"],
    [0, { question: "" }, "question"],
    [0, { question: " \u0000 " }, "question"],
    [0, { expected: [] }, "expected"],
    [0, { expected: [""] }, "expected[0]"],
    [0, { expected: Array.from({ length: 51 }, () => "a") }, "expected"],
    [0, { question: "x".repeat(1001) }, "question"],
    [0, { other: 1 }, "other"],
  ])("of turn %d with %j are refused, with the place of the fault", async (index, body, path) => {
    const reply = await keep(idOf(index), body);
    expect([reply.status, reply.body]).toMatchObject([400, { details: [{ path }] }]);
  });

  test("are kept and dropped by those who may write alone", async () => {
    expect((await keep(idOf(0), {}, "ownRead")).status).toBe(403);
    expect((await keep(idOf(0), {}, "other")).status).toBe(404);
    expect((await analytics("DELETE", "/acme/evaluation/x", { as: "ownRead" })).status).toBe(403);
  });
});

test("a gap is shown with its questions, by the ids of their messages; another site's is none", async () => {
  const gap = (await door.list("/acme/gaps", "gaps")).find(({ question }) =>
    String(question).includes("blorptastic"),
  );
  const { status, body } = await door.read(`/acme/gaps/${gap?.["id"]}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...gap,
    questions: [
      {
        messageId: idOf(2),
        question: "zzqx wvvk blorptastic?",
        askedAt: "2026-01-02T03:04:08.000Z",
        reason: "nothing_near",
        nearest: null,
      },
    ],
  });
  const foreign = await door.read(`/rival/gaps/${gap?.["id"]}`, "server");
  const missing = await door.read("/rival/gaps/none", "server");
  expect([foreign.status, plain(foreign.text)]).toEqual([404, plain(missing.text)]);
});

describe("deleting a conversation by one of its answers", () => {
  test("deletes all of it, for those who may write", async () => {
    const first = await door.asked("Something to forget?");
    await door.asked("And more of it?", { threadId: first.threadId });
    const path = `/acme/conversations/${first.messageId}`;
    expect((await analytics("DELETE", path, { as: "ownRead" })).status).toBe(403);
    const deleted = await analytics("DELETE", path);
    expect([deleted.status, deleted.body]).toEqual([200, { threads: 1, turns: 2 }]);
    expect((await door.read(path)).status).toBe(404);
    expect((await analytics("DELETE", path)).status).toBe(404);
    expect(await door.list("/acme/conversations?text=forget", "conversations")).toEqual([]);
  });
});

describe("who reads them", () => {
  const PATHS = ["overview", "conversations", "conversations/X", "evaluation", "evaluation-set", "gaps/X"];

  test.each(PATHS)("%s is not open to an assistant key, nor to none", async (path) => {
    for (const as of ["assistant", "none"] as const)
      expect((await door.read(`/acme/${path}`, as)).status).toBe(401);
  });

  test.each(PATHS)("%s of a site that the key does not open is that of none", async (path) => {
    const both: AdminReply[] = [
      await door.read(`/acme/${path}`, "other"),
      await door.read(`/nowhere/${path}`, "other"),
    ];
    expect(both.map(({ status, text }) => [status, plain(text)])).toEqual([
      [404, plain(both[1]?.text ?? "")],
      [404, plain(both[1]?.text ?? "")],
    ]);
  });

  test.each(PATHS)("%s cannot be asked for by a page of another origin", async (path) => {
    const reply = await analytics("GET", `/acme/${path}`, { headers: { origin: "https://evil.example" } });
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });
});
