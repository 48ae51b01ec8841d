import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import { databaseOf } from "../helpers/database-of.ts";
import {
  partsOf,
  question,
  startDocent,
  type TestDocent,
  testSurroundings,
  textOf,
} from "../helpers/docent.ts";

const INSTALL = "# Install Acme\n\n## Linux\n\nRun `install.sh` as root.\n\n## Windows\n\nRun the wizard.\n";
const FILES = {
  "guide/install.md": INSTALL,
  "answers/reset.md": `---
questions:
  - How do I reset my password?
  - I forgot my password
---

Press **Reset** on the [sign-in page](https://login.acme.example/), then see
[how to install on Linux](../guide/install.md#linux) and [this](/guide/install).
`,
  "answers/hostile.md": `---
question: Is the answer harmless?
---

<script>alert(1)</script> <img src=x onerror=alert(1)> [run](javascript:alert(1)) ![p](https://evil.example/p.png)
[away](//evil.example/x) \`<b>code</b>\`
`,
};

let folder: string;
let docent: TestDocent;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docent-curated-"));
  for (const [name, text] of Object.entries(FILES)) write(name, text);
  docent = await startDocent({ docs: folder });
});
afterAll(async () => {
  await docent.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function ask(content: string, more: Record<string, unknown> = {}) {
  const reply = await docent.post(question(content, more));
  const wire = await reply.text();
  expect(reply.status, wire).toBe(200);
  const parts = partsOf(wire);
  const of = (code: string) => parts.filter((part) => part.code === code).map(({ value }) => value);
  const turn = databaseOf(docent.app)
    .query<Record<string, unknown>, [string]>("SELECT * FROM turns WHERE id = ?")
    .get(reply.headers.get("x-message-id") ?? "");
  return { reply, parts, of, text: textOf(wire), end: of("8").at(-1), turn };
}

const outcomeOf = async (content: string, more: Record<string, unknown> = {}) =>
  (await ask(content, more)).turn?.["outcome"];

describe("a question that a curated answer is for", () => {
  test("gets it at once, with its citations, marked as curated", async () => {
    const { text, of, end, reply } = await ask("How can I reset my password?");
    expect(text).toBe(
      "Press **Reset** on the [sign-in page](https://login.acme.example/), then see\n" +
        "[how to install on Linux](https://docs.acme.example/guide/install#linux) and " +
        "[this](https://docs.acme.example/guide/install).",
    );
    const threadId = reply.headers.get("x-thread-id");
    expect(end).toEqual([{ type: "finish", threadId, outcome: "curated" }]);
    expect(of("h")).toMatchObject([
      { sourceType: "url", url: "https://docs.acme.example/guide/install#linux", title: "Install Acme" },
      { sourceType: "url", url: "https://docs.acme.example/guide/install", title: "Install Acme" },
    ]);
    expect(of("a")).toMatchObject([
      {
        result: {
          type: "search",
          results: [{ path: "guide/install", metadata: { href: "/guide/install#linux" } }, {}],
        },
      },
    ]);
  });

  test("is stored with the answer's name and what it cites, and without a responder", async () => {
    const { turn, text } = await ask("I forgot my password!");
    expect(turn).toMatchObject({
      outcome: "curated",
      curated: "reset",
      answer: text,
      generation: 1,
      responder: null,
      model: null,
      searched: "I forgot my password!",
      cached: 0,
      prompt_tokens: null,
    });
    const cited = JSON.parse(String(turn?.["cited_json"]));
    expect(cited.map(({ url }: { url: string }) => url)).toEqual([
      "https://docs.acme.example/guide/install#linux",
      "https://docs.acme.example/guide/install",
    ]);
    expect(cited.every(({ passageId }: { passageId: number }) => passageId > 0)).toBe(true);
  });

  test("is answered from the docs where it only resembles it", async () => {
    for (const near of [
      "How do I reset my phone?",
      "Why was my password reset?",
      "How do I reset another user's password?",
      "How do I reset 2 passwords?",
    ])
      expect({ near, outcome: await outcomeOf(near) }).not.toEqual({ near, outcome: "curated" });
  });

  test("is answered from the docs where the reader attached something", async () => {
    const context = [{ type: "textSelection", value: "Run the wizard." }];
    expect(await outcomeOf("How do I reset my password?", { context })).not.toBe("curated");
  });

  test("is found in the middle of a conversation, by the reader's own words", async () => {
    const first = await ask("How do I install Acme on Linux?");
    const threadId = first.reply.headers.get("x-thread-id");
    const next = await ask("How do I reset my password?", {
      threadId,
      messages: [message("q2", "How do I reset my password?")],
    });
    expect(next.turn).toMatchObject({ outcome: "curated", thread_id: threadId });
  });

  test("gets a hostile file as harmless as docs text is", async () => {
    const { text, turn } = await ask("is the answer harmless");
    expect(turn?.["curated"]).toBe("hostile");
    expect(text.replace("`<b>code</b>`", "")).not.toMatch(/[^\\]<[a-z!/]|javascript:|evil\.example/i);
    expect(text).toContain("`<b>code</b>`");
  });
});

const message = (id: string, content: string) => ({
  id,
  role: "user",
  content,
  parts: [{ type: "text", text: content }],
});

describe("an answer is no page", () => {
  test("readers cannot open it, and search does not find it", async () => {
    const { parts } = docent.app;
    const site = await parts.people.sites.get("acme");
    expect((await fetch(`${docent.url}/sites/acme/answers/reset`)).status).toBe(404);
    const { hits } = await parts.content.search.find({
      audience: "everything",
      siteId: site.id,
      text: "forgot password reset",
      pageSize: 20,
    });
    expect(hits.map(({ path }) => path).filter((path) => path.startsWith("answers"))).toEqual([]);
    expect(await parts.content.pages.countPages(site.id)).toMatchObject({ pages: 1 });
  });
});

describe("while a server runs", () => {
  test("an answer that another process adds, replaces and removes takes effect at once", async () => {
    const other = await openParts(testSurroundings(docent.data));
    try {
      const site = await other.people.sites.get("acme");
      const add = (text: string, change = {}) =>
        other.answers.curated.add(site, {
          name: "refund",
          version: "",
          language: "",
          ...change,
          markdown: `---\nquestion: How do I get a refund?\n---\n\n${text}\n`,
        });
      const answer = async (more: Record<string, unknown> = {}) => {
        const { turn } = await ask("How can I get a refund?", more);
        return turn?.["outcome"] === "curated" ? turn["answer"] : undefined;
      };
      expect(await answer()).toBeUndefined();
      await add("Write to us.");
      expect(await answer()).toBe("Write to us.");
      await add("Press the button.");
      expect(await answer()).toBe("Press the button.");
      await add("In version two, wait.", { version: "2" });
      expect(await answer({ filter: { version: "2" } })).toBe("In version two, wait.");
      await other.answers.curated.remove(site, "refund");
      expect(await answer()).toBeUndefined();
    } finally {
      other.close();
    }
  });

  test("a run that changes a page flags the answers that cite it, which are given all the same", async () => {
    const { parts } = docent.app;
    const site = await parts.people.sites.get("acme");
    write("guide/install.md", `${INSTALL}\n## macOS\n\nDrag it.\n`);
    await parts.sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: folder, version: "", language: "" },
      reader: parts.sources.readFolder(folder),
      generation: 1,
      signal: new AbortController().signal,
    });
    const states = Object.fromEntries(
      (await parts.answers.curated.review(site)).map(({ name, concerns }) => [name, concerns]),
    );
    expect(states).toEqual({ reset: ["page changed: guide/install"], hostile: [] });
    expect(await outcomeOf("How do I reset my password?")).toBe("curated");
    await parts.sources.generations.rollBack(site.id, 1);
    expect((await parts.answers.curated.review(site)).flatMap(({ concerns }) => concerns)).toEqual([]);
  });
});
