import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { databaseOf } from "../helpers/database-of.ts";
import {
  type DocentOptions,
  partsOf,
  question,
  startDocent,
  type TestDocent,
  textOf,
} from "../helpers/docent.ts";
import { type FakeChat, type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import type { FakeReply } from "../helpers/fake-ollama-replies.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const QUESTION = "How long are archived files kept?";
const ANSWER = "Archived files are kept for 90 days [1].";
const SEARCH = { name: "search", arguments: { query: "install with Homebrew on macOS" } };
const READ = { name: "read_page", arguments: { path: "/", heading: "Acme" } };
const NOT_COVERED = "The documentation doesn't cover this.";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** What finds out whether a model calls tools. */
const isProbe = ({ body }: FakeChat) =>
  body.tools?.length === 1 && body.messages[0]?.content.includes("call search before you answer") === true;

interface Setup {
  docent?: DocentOptions;
  capabilities?: string[];
  mode?: "auto" | "single" | "search";
  probe?: FakeReply;
}

/** A site whose model gives these replies one after the other, and the last one again and again. */
async function start(replies: FakeReply[], { docent: options, capabilities, mode, probe }: Setup = {}) {
  const ollama = startFakeOllama({
    models: [{ name: "tiny:latest", capabilities: capabilities ?? ["completion", "tools"] }],
  });
  let given = 0;
  ollama.script((chat) =>
    isProbe(chat) ? (probe ?? { calls: [SEARCH] }) : replies[Math.min(given++, replies.length - 1)],
  );
  const docent = await startDocent({ ollama: ollama.url, ...options });
  open.push(docent, { close: () => ollama.stop() });
  const { sites } = docent.app.parts.people;
  await sites.set("acme", { settings: { searchMode: mode ?? "search" } });
  return { ollama, docent };
}

interface StoredTurn {
  outcome: string;
  answer: string;
  looks_json: string;
  retrieved_json: string;
  cited_json: string;
  prompt_tokens: number;
  cached: number;
}

async function ask(docent: TestDocent, text = QUESTION, more: Record<string, unknown> = {}) {
  const reply = await docent.post(question(text, { retrievalPageSize: 1, ...more }));
  const wire = await reply.text();
  const parts = partsOf(wire);
  const turn = databaseOf(docent.app)
    .query<StoredTurn, []>("SELECT * FROM turns ORDER BY created_at DESC, id DESC LIMIT 1")
    .get();
  if (turn === null) throw new Error("no turn is stored");
  const json = (of: "looks_json" | "retrieved_json" | "cited_json") => JSON.parse(turn[of]);
  return {
    wire,
    text: textOf(wire),
    codes: parts.map(({ code }) => code).join(""),
    calls: parts.filter(({ code }) => code === "9").map(({ value }) => value),
    results: parts.filter(({ code }) => code === "a").map(({ value }) => JSON.stringify(value)),
    error: parts.find(({ code }) => code === "3")?.value,
    turn,
    looks: json("looks_json"),
    retrieved: json("retrieved_json"),
    cited: json("cited_json"),
  };
}

const answering = ({ chats }: FakeOllama) => chats.filter((chat) => !isProbe(chat));

describe("a model that looks for itself", () => {
  test("searches, reads a page, and cites what it found, numbered on from what the question found", async () => {
    const { ollama, docent } = await start([
      { calls: [SEARCH] },
      { calls: [READ] },
      { text: "For 90 days [1]. Install with Homebrew [2], or read on [3]." },
    ]);
    const { text, codes, calls, results, looks, retrieved, cited, turn } = await ask(docent);
    expect(calls).toMatchObject([
      { toolName: "search", args: { query: QUESTION } },
      { toolName: "search", args: { query: SEARCH.arguments.query } },
      { toolName: "read_page", args: READ.arguments },
    ]);
    expect(codes).toStartWith("f89aef9aef9aef0");
    expect(results[1]).toContain("brew install acme");
    expect(text).toContain("[[1]](https://docs.acme.example/guide/configure#retention)");
    expect(text).toContain("[[2]](https://docs.acme.example/guide/install#macos)");
    const [, , third] = retrieved;
    expect(text).toContain(`[[3]](https://docs.acme.example/${third.path}#${third.anchor})`);
    expect(looks).toMatchObject([
      { tool: "search", asked: SEARCH.arguments.query },
      { tool: "read_page", asked: "/ # Acme" },
    ]);
    expect(turn.outcome).toBe("answered");
    // Every citation is of a passage that was retrieved.
    const ids = new Set(retrieved.map(({ passageId }: { passageId: number }) => passageId));
    expect(cited.length).toBeGreaterThanOrEqual(2);
    for (const { passageId } of cited) expect(ids).toContain(passageId);
    // The model was given its calls and their results as such.
    const [, second, last] = answering(ollama);
    expect(second?.body.messages.slice(-2)).toMatchObject([
      { role: "assistant", tool_calls: [{ function: SEARCH }] },
      { role: "tool", tool_name: "search", content: expect.stringContaining('<passage number="2"') },
    ]);
    expect(last?.body.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(second?.body.messages.slice(0, 2)).toEqual(answering(ollama)[0]?.body.messages ?? []);
  });

  test("is given further sections where its search finds those that it has, and its reader sees the best", async () => {
    using docs = temporaryDirectory();
    const names = ["server", "laptop", "phone", "tablet", "desktop", "watch", "printer", "router", "camera"];
    for (const name of [...names, "console", "speaker", "display", "scanner", "projector"])
      await Bun.write(
        join(docs.path, `${name}.md`),
        `# The ${name}\n\nArchived files are kept on a ${name} for 90 days. Then the ${name} removes them.\n`,
      );
    const query = "How long are archived files kept on a server, a laptop, a scanner or a projector?";
    const { ollama, docent } = await start(
      [{ calls: [{ name: "search", arguments: { query } }] }, { text: ANSWER }],
      {
        docent: { docs: docs.path, settings: { rewrite_seconds: "0" } },
      },
    );
    const { results } = await ask(docent, QUESTION, { retrievalPageSize: undefined });
    const brought = answering(ollama)[1]?.body.messages.at(-1)?.content ?? "";
    expect(brought).toMatch(/You have these already: \[\d+\], \[\d+\]$/);
    expect(brought.match(/<passage number="1\d"/g)).toHaveLength(4);
    for (const result of results) expect(JSON.parse(result).result.results).toHaveLength(5);
  });

  test("that calls nothing answers from what the question found", async () => {
    const { ollama, docent } = await start([{ text: ANSWER }]);
    const { text, codes, looks } = await ask(docent);
    expect(text).toStartWith("Archived files are kept for 90 days [[1]](");
    expect(codes).toStartWith("f89aef0");
    expect(looks).toEqual([]);
    expect(answering(ollama)).toHaveLength(1);
  });

  test("that announces its search has said a thought, not a part of the answer", async () => {
    const { docent } = await start([
      { text: "Let me look that up.", calls: [SEARCH] },
      { text: "It is installed with Homebrew [2]." },
    ]);
    const { text, wire, turn } = await ask(docent);
    expect(text).toStartWith("It is installed with Homebrew [[2]](");
    expect(wire).toContain('g:"Let me look that up."');
    expect(turn.answer).not.toContain("Let me");
  });

  test("searches each side of a comparison, even where it makes no call", async () => {
    const { ollama, docent } = await start([{ text: "One is for archives [1], the other is not [2]." }]);
    const { calls, looks } = await ask(docent, "What is the difference between retention and the proxy?");
    expect(calls).toMatchObject([
      { args: { query: expect.stringContaining("difference") } },
      { args: { query: "retention" } },
      { args: { query: "proxy" } },
    ]);
    expect(looks.map(({ asked }: { asked: string }) => asked)).toEqual(["retention", "proxy"]);
    const prompt = answering(ollama)[0]?.body.messages.at(-1)?.content;
    expect(prompt).toContain("retention_days");
    expect(prompt).toContain("HTTPS_PROXY");
  });

  test("is told what the instructions say: search each part, and nothing of the docs that its reader may not see", async () => {
    const { ollama, docent } = await start([
      { calls: [{ name: "read_page", arguments: { path: "guide/secret" } }] },
      { text: ANSWER },
    ]);
    await ask(docent);
    const [first, second] = answering(ollama);
    expect(first?.body.messages[0]?.content).toContain("search for each that the passages do not tell of");
    expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(["search", "read_page"]);
    expect(second?.body.messages.at(-1)?.content).toContain("no such page");
  });

  test("stays in the version, the language and the groups that its reader asked for", async () => {
    const { docent } = await start([
      {
        calls: [
          { name: "search", arguments: { query: "retention of archived files", filter: { version: "1" } } },
        ],
      },
      { text: ANSWER },
    ]);
    const asked: unknown[] = [];
    const { search } = docent.app.parts.content;
    const { find } = search;
    search.find = (query) => {
      asked.push(query.filter);
      return find(query);
    };
    await ask(docent, QUESTION, { filter: { version: "2", language: "en" } });
    expect(asked).toMatchObject([
      { version: "2", language: "en" },
      { version: "2", language: "en" },
    ]);
  });
});

/** Ways in which models call tools without calling them. */
const WRITTEN: [name: string, text: string][] = [
  ["between tags", `<tool_call>\n${JSON.stringify(SEARCH)}\n</tool_call>`],
  ["in a code block", `I will search.\n\n\`\`\`json\n${JSON.stringify(SEARCH, null, 2)}\n\`\`\``],
  ["as JSON", JSON.stringify({ name: "search", parameters: SEARCH.arguments })],
  ["as a list", `[TOOL_CALLS] [${JSON.stringify(SEARCH)}]`],
  ["as a function", `<function=search>${JSON.stringify(SEARCH.arguments)}</function>`],
  [
    "as a function with parameters",
    `<tool_call>\n<function=search>\n<parameter=query>\n${SEARCH.arguments.query}\n</parameter>\n</function>\n</tool_call>`,
  ],
  [
    "as a ReAct step",
    `Thought: I need more.\nAction: search\nAction Input: ${SEARCH.arguments.query}\nObservation: none`,
  ],
  ["as a ReAct step with JSON", `Action: search\nAction Input: ${JSON.stringify(SEARCH.arguments)}`],
  ["behind thoughts", `<think>I need more.</think>\n<tool_call>${JSON.stringify(SEARCH)}</tool_call>`],
];

describe("a call that is", () => {
  test.each(WRITTEN)("written as text, %s, is carried out, and its reader never sees it", async (_, text) => {
    const { docent } = await start([{ text: [...text] }, { text: "It is installed with Homebrew [2]." }]);
    const reply = await ask(docent);
    expect(reply.text).toStartWith("It is installed with Homebrew [[2]](");
    expect(reply.text).not.toMatch(/tool_call|TOOL|\{|search/);
    expect(reply.calls).toHaveLength(2);
    expect(reply.looks).toMatchObject([{ tool: "search", asked: SEARCH.arguments.query, found: 1 }]);
  });

  test.each<[string, { name: string; arguments: unknown }, string]>([
    ["of an unknown tool", { name: "delete_page", arguments: { path: "x" } }, "no such tool"],
    ["without a query", { name: "search", arguments: {} }, "could not be read"],
    ["with a query that is no text", { name: "search", arguments: { query: [1] } }, "could not be read"],
    ["with arguments that are no object", { name: "search", arguments: "not JSON" }, "could not be read"],
    [
      "for a page that does not exist",
      { name: "read_page", arguments: { path: "/nowhere" } },
      "no such page",
    ],
    [
      "for what the docs do not cover",
      { name: "search", arguments: { query: "zebra airspeed" } },
      "nothing about this",
    ],
  ])("%s ends in an answer", async (_, call, note) => {
    const { ollama, docent } = await start([{ calls: [call] }, { text: ANSWER }]);
    const { text, turn } = await ask(docent);
    expect(text).toStartWith("Archived files are kept for 90 days [[1]](");
    expect(turn.outcome).toBe("answered");
    expect(answering(ollama)[1]?.body.messages.at(-1)?.content).toContain(note);
  });

  test("made again and again ends in an answer without tools", async () => {
    const { ollama, docent } = await start([{ calls: [SEARCH] }]);
    ollama.script((chat) => (chat.body.tools === undefined ? { text: ANSWER } : { calls: [SEARCH] }));
    const { text, looks, calls } = await ask(docent);
    expect(text).toStartWith("Archived files are kept for 90 days [[1]](");
    expect(looks.length).toBeLessThanOrEqual(4);
    expect(calls).toHaveLength(2);
    expect(answering(ollama).length).toBeLessThanOrEqual(5);
    expect(answering(ollama).at(-1)?.body.messages.at(-1)?.content).toContain("brew install acme");
  });

  test("always another one ends at the bound of rounds", async () => {
    const { ollama, docent } = await start([], { docent: { settings: { search_rounds: "2" } } });
    const queries = ["install with Homebrew on macOS", "HTTPS_PROXY variable", "what Acme reads"];
    let asked = 0;
    ollama.script((chat) =>
      chat.body.tools === undefined
        ? { text: ANSWER }
        : { calls: [{ name: "search", arguments: { query: queries[asked++] } }] },
    );
    const { text } = await ask(docent);
    expect(text).toStartWith("Archived files");
    const chats = answering(ollama);
    expect(chats.map(({ body }) => body.tools !== undefined)).toEqual([true, true, true, false]);
    expect(chats[2]?.body.messages.at(-1)?.content).toContain("answer now");
  });

  test("still made when nothing else is left is no answer: the docs are quoted", async () => {
    const { ollama, docent } = await start([{ calls: [SEARCH] }]);
    const written = `<tool_call>${JSON.stringify(SEARCH)}</tool_call>`;
    ollama.script((chat) => (chat.body.tools === undefined ? { text: written } : { calls: [SEARCH] }));
    const { text, error, turn } = await ask(docent);
    expect(text).toStartWith("This is what the documentation says, word for word:");
    expect(error).toBeUndefined();
    expect(turn.outcome).toBe("quoted");
  });
});

describe("a model that", () => {
  test.each<[string, FakeReply]>([
    ["stops in the middle of a call", { text: '<tool_call>{"name": "sea', end: "eof" }],
    ["breaks off after a call", { calls: [SEARCH], end: "error" }],
    ["thinks and says nothing", { text: [], thinking: ["Hm."] }],
  ])("%s is asked once more without tools", async (_, broken) => {
    const { ollama, docent } = await start([broken, { text: ANSWER }], {
      capabilities: ["completion", "tools", "thinking"],
    });
    const { text, turn } = await ask(docent);
    expect(text).toStartWith("Archived files are kept for 90 days [[1]](");
    expect(turn.outcome).toBe("answered");
    expect(answering(ollama).map(({ body }) => body.tools !== undefined)).toEqual([true, false]);
  });

  test("breaks off in the middle of its answer has failed, as one that does not look", async () => {
    const { docent } = await start([{ text: "Archived files are kept [1] for", end: "eof" }]);
    const { error, turn } = await ask(docent);
    expect(error).toBeString();
    expect(turn.outcome).toBe("failed");
  });

  test("goes away between two rounds is replaced by quotes of all that was found", async () => {
    const { docent } = await start([
      { calls: [SEARCH] },
      { status: 404, body: '{"error":"gone"}', contentType: "application/json" },
    ]);
    const { text, turn } = await ask(docent);
    expect(turn.outcome).toBe("quoted");
    expect(text).toContain("90 days");
  });

  test("takes no tools, whatever it said, is asked without any, and not with any again", async () => {
    const { ollama, docent } = await start([]);
    const refusal = { error: '"tiny:latest" does not support tools' };
    ollama.script((chat) =>
      chat.body.tools === undefined
        ? { text: ANSWER }
        : { status: 400, body: JSON.stringify(refusal), contentType: "application/json" },
    );
    const first = await ask(docent);
    expect(first.text).toStartWith("Archived files");
    expect(ollama.chats[1]?.body.messages[0]?.content).not.toContain("call search");
    const before = ollama.chats.length;
    await ask(docent, "How is Acme installed with Homebrew?");
    expect(ollama.chats.slice(before).map(({ body }) => body.tools)).toEqual([undefined]);
  });

  test("does not say that it can call tools is given none", async () => {
    const { ollama, docent } = await start([{ text: ANSWER }], { capabilities: ["completion"] });
    await ask(docent);
    expect(ollama.chats.map(({ body }) => body.tools)).toEqual([undefined]);
  });

  test("finds nothing that answers says so", async () => {
    const { docent } = await start([{ calls: [SEARCH] }, { text: NOT_COVERED }]);
    const { turn } = await ask(docent);
    expect(turn.outcome).toBe("unanswered");
  });
});

describe("a site whose search mode is", () => {
  test("auto has its model search once it has shown that it calls tools", async () => {
    const { ollama, docent } = await start([{ text: ANSWER }], { mode: "auto" });
    await ask(docent);
    expect(answering(ollama)[0]?.body.tools).toBeUndefined();
    await ollama.until(() => ollama.chats.some(isProbe) && docent.logged.join("").includes("calls tools"));
    await ask(docent, "How is Acme installed with Homebrew?");
    expect(answering(ollama)[1]?.body.tools).toHaveLength(2);
    expect(ollama.chats.filter(isProbe)).toHaveLength(1);
  });

  test("auto searches once where the model did not call a tool when it should have", async () => {
    const { ollama, docent } = await start([{ text: ANSWER }], {
      mode: "auto",
      probe: { text: "Run the installer." },
    });
    await ask(docent);
    await ollama.until(() => docent.logged.join("").includes("did not call a tool"));
    await ask(docent, "How is Acme installed with Homebrew?");
    expect(answering(ollama)[1]?.body.tools).toBeUndefined();
    expect(ollama.chats.filter(isProbe)).toHaveLength(1);
  });

  test("single searches once, whatever its model can do", async () => {
    const { ollama, docent } = await start([{ text: ANSWER }], { mode: "single" });
    const { calls } = await ask(docent);
    expect(calls).toHaveLength(1);
    expect(answering(ollama)[0]?.body.tools).toBeUndefined();
  });
});

test("an answer whose model searched is given again with its searches", async () => {
  const { ollama, docent } = await start([
    { calls: [SEARCH] },
    { calls: [READ] },
    { text: "Install it with Homebrew [2] or from the archive [3]." },
  ]);
  const first = await ask(docent);
  await ollama.until(() => docent.logged.join("").includes("calls tools"));
  const second = await ask(docent);
  const third = await ask(docent);
  expect(third.turn.cached).toBe(1);
  expect(third.text).toBe(second.text);
  expect(third.calls.map((call) => JSON.stringify(call).replace(/(?:search|look)_\w+/, ""))).toEqual(
    second.calls.map((call) => JSON.stringify(call).replace(/(?:search|look)_\w+/, "")),
  );
  for (const name of ["looks", "retrieved", "cited"] as const) expect(third[name]).toEqual(second[name]);
  expect(first.turn.outcome).toBe("answered");
});

test("no prompt is longer than what the model can read, however much it finds", async () => {
  const { ollama, docent } = await start([], {
    docent: { settings: { context_tokens: "2048", answer_tokens: "256", search_tokens: "1000000" } },
  });
  let asked = 0;
  const queries = ["Homebrew on macOS", "Linux archive", "proxy variable", "what Acme reads"];
  ollama.script((chat) =>
    chat.body.tools === undefined || asked >= queries.length
      ? { text: ANSWER }
      : { calls: [{ name: "search", arguments: { query: queries[asked++] } }, READ] },
  );
  const { turn } = await ask(docent);
  expect(turn.outcome).toBe("answered");
  for (const { body } of answering(ollama)) {
    // No tokenizer needs more than a token for two characters of English.
    const characters = JSON.stringify(body.messages).length + JSON.stringify(body.tools ?? []).length;
    expect(characters / 2).toBeLessThanOrEqual((2048 - 256) * 2);
  }
});
