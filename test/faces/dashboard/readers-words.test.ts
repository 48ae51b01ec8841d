import { describe, expect, test } from "bun:test";
import type { Turn } from "../../../src/faces/conversation/state.ts";
import { newTurn } from "../../../src/faces/conversation/turn.ts";
import {
  answerFile,
  answerPath,
  freeName,
  nameFault,
  nameOfQuestion,
} from "../../../src/faces/dashboard/answers/answer-file.ts";
import { excerptOf } from "../../../src/faces/dashboard/conversations/list/conversations-page.tsx";
import { apiQuery, narrowingIn, pageQuery } from "../../../src/faces/dashboard/conversations/list/query.ts";
import { timingParts } from "../../../src/faces/dashboard/conversations/turn/facts-card.tsx";
import { progressWords } from "../../../src/faces/dashboard/kit/answer/answer-progress.tsx";
import { modelHealth, sourceHealth } from "../../../src/faces/dashboard/overview/health-card.tsx";
import {
  countWords,
  readerWords,
  shareWords,
  waitWords,
} from "../../../src/faces/dashboard/overview/number-words.ts";
import { beginOf } from "../../../src/faces/dashboard/period.ts";
import { linesOf } from "../../../src/faces/dashboard/text.ts";
import { splitFrontMatter } from "../../../src/reading/markdown/front-matter.ts";
import { readQuestions } from "../../../src/reading/page/answer-file.ts";

describe("numbers of an overview", () => {
  test("a count beside the one before, which says neither good nor bad", () => {
    expect(countWords(150, 100)).toEqual({
      value: "150",
      change: { text: "+50%", tone: "quiet" },
      note: "100 before",
    });
    expect(countWords(50, 100).change).toEqual({ text: "−50%", tone: "quiet" });
    expect(countWords(1000, 1000)).toEqual({ value: "1,000", change: undefined, note: "1,000 before" });
    expect(countWords(3, 0)).toEqual({ value: "3", change: undefined, note: "none in the period before" });
    expect(readerWords({ readers: 3, questions: 12 }, { readers: 0 }).value).toBe("3");
    expect(readerWords({ readers: 0, questions: 0 }, { readers: 0 }).value).toBe("0");
    // Nobody who asks twelve questions is no reader.
    expect(readerWords({ readers: 0, questions: 12 }, { readers: 0 }).value).toBe("–");
  });

  test("no share is told of too few", () => {
    const none = { share: null, of: 0 };
    expect(shareWords(none, none, "rating", "ratings")).toMatchObject({ value: "–", note: "no ratings yet" });
    expect(shareWords({ share: 1, of: 1 }, none, "rating", "ratings")).toEqual({
      value: "–",
      change: undefined,
      note: "1 rating: too few to tell",
    });
    expect(shareWords({ share: 0.9, of: 10 }, { share: 1, of: 2 }, "rating", "ratings")).toEqual({
      value: "90%",
      change: undefined,
      note: "of 10 ratings",
    });
  });

  test("a share that moved is good where there is more of it, and nothing where it moved by a little", () => {
    const before = { share: 0.5, of: 50 };
    const change = (share: number) => shareWords({ share, of: 50 }, before, "one", "many").change;
    expect([change(0.6), change(0.4), change(0.51), change(0.5)]).toEqual([
      { text: "+10 points", tone: "good" },
      { text: "−10 points", tone: "bad" },
      { text: "+1 point", tone: "quiet" },
      undefined,
    ]);
  });

  test("a shorter wait is better, and a difference that nobody notices is none", () => {
    const wait = (medianMs: number) => ({ medianMs, p95Ms: 9000 });
    expect(waitWords(wait(1000), wait(2000))).toEqual({
      value: "1.0 s",
      change: { text: "−50%", tone: "good" },
      note: "95% within 9.0 s",
    });
    expect(waitWords(wait(3000), wait(2000)).change).toEqual({ text: "+50%", tone: "bad" });
    expect(waitWords(wait(2100), wait(2000)).change).toBeUndefined();
    expect(waitWords(wait(1), wait(0)).change).toBeUndefined();
    expect(waitWords(null, wait(1)).value).toBe("–");
  });
});

describe("health", () => {
  test("says whether a model answers, and to owners of the server why not", () => {
    const server = { reason: "No Ollama answers there", hint: "run: ollama serve" };
    expect(modelHealth("small", [])).toEqual({ state: "Answers", tone: "good", text: "small" });
    expect(modelHealth(null, [])).toMatchObject({ state: "No model", tone: "warn" });
    expect(modelHealth(null, [server]).text).toEndWith("No Ollama answers there. Run: ollama serve.");
    expect(modelHealth("small", [server, { reason: null, hint: null }]).state).toBe("Partly");
  });

  test("says of a source how its last run ended", () => {
    const run = {
      startedAt: "",
      finishedAt: null,
      generation: null,
      generator: null,
      docs: null,
      addresses: null,
      counts: {},
      message: "No answer.",
    };
    expect(sourceHealth({ notRead: null, lastRun: null }).state).toBe("Not read yet");
    expect(sourceHealth({ notRead: null, lastRun: { ...run, outcome: null } }).state).toBe("Interrupted");
    expect(sourceHealth({ notRead: null, lastRun: { ...run, outcome: "failed" } })).toEqual({
      state: "Failed",
      tone: "bad",
      text: "No answer.",
    });
    expect(sourceHealth({ notRead: null, lastRun: { ...run, outcome: "something new" } }).state).toBe(
      "something new",
    );
  });
});

describe("what a list is narrowed to", () => {
  test("is read off its address, and written there again", () => {
    const query = new URLSearchParams({ show: "disliked", caller: "web", days: "7", text: "reset it" });
    const narrowing = narrowingIn(query);
    expect(new URLSearchParams(pageQuery(narrowing)).toString()).toBe(query.toString());
    expect(apiQuery(narrowing, new Date(2026, 0, 10, 9))).toEqual({
      helpful: false,
      caller: "web",
      text: "reset it",
      dateFrom: new Date(2026, 0, 4).toISOString(),
    });
  });

  test.each([
    "show=__proto__",
    "show=constructor",
    "caller=me",
    "days=1e9",
    "days=-7",
    `text=${"x".repeat(999)}`,
  ])("is nothing that the server does not take: %s", (address) => {
    const narrowing = narrowingIn(new URLSearchParams(address));
    expect(narrowing.text.length).toBeLessThanOrEqual(200);
    expect({ ...narrowing, text: "" }).toEqual({ shown: "all", caller: "", days: "", text: "" });
  });

  test("a period begins with a day of who looks, today included", () => {
    const begin = new Date(beginOf(30, new Date(2026, 2, 15, 13, 30)));
    expect([begin.getMonth(), begin.getDate(), begin.getHours()]).toEqual([1, 14, 0]);
  });
});

describe("where an answer's time went", () => {
  test("is told in parts that fill it, one behind the other", () => {
    const parts = timingParts({
      retrievalMs: 40,
      rewriteMs: null,
      queueMs: 1000,
      firstTokenMs: 3000,
      totalMs: 9000,
    });
    expect(parts.map(({ name, fromMs, ms }) => [name, fromMs, ms])).toEqual([
      ["search", 0, 40],
      ["queue", 40, 1000],
      ["reading", 1040, 1960],
      ["writing", 3000, 6000],
    ]);
  });

  test.each([
    { retrievalMs: 500, rewriteMs: 900, queueMs: null, firstTokenMs: 100, totalMs: 300 },
    { retrievalMs: null, rewriteMs: 70, queueMs: 900, firstTokenMs: null, totalMs: 300 },
    { retrievalMs: null, rewriteMs: null, queueMs: null, firstTokenMs: null, totalMs: 300 },
    { retrievalMs: -5, rewriteMs: -5, queueMs: -5, firstTokenMs: -5, totalMs: 300 },
  ])("whatever was measured, it is neither more nor less than the whole: %j", (timings) => {
    const parts = timingParts(timings);
    expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBe(300);
    for (const [index, { fromMs }] of parts.entries())
      expect(fromMs).toBe((parts[index - 1]?.fromMs ?? 0) + (parts[index - 1]?.ms ?? 0));
  });

  test("of none is nothing", () => {
    expect(timingParts({ retrievalMs: 1, rewriteMs: 1, queueMs: 1, firstTokenMs: 1, totalMs: null })).toEqual(
      [],
    );
  });
});

describe("an answer in a list", () => {
  test("is its words, without what Markdown is written with", () => {
    const markdown =
      "# Install\n\n- Run **it** with `--now`. [Guide](https://x.example/a)\n\n```sh\nrun\n```\n![A picture](a.png)";
    expect(excerptOf(markdown)).toBe("Install Run it with --now. Guide run A picture");
    expect(excerptOf(`${"word ".repeat(200)}`)).toHaveLength(280);
    const cited = "Run it [[1]](http://here/sites/a/b?until=1&signature=x#c).";
    expect(excerptOf(`${cited}\n\n\`\`\`suggestions\n(Guide)[/guide]\n(Us`)).toBe("Run it.");
    expect(excerptOf("Run it [[1]](http://here/si")).toBe("Run it");
  });

  test("takes no longer for a text that was made to take long", () => {
    const before = process.cpuUsage();
    for (const piece of ["[", "![](", "#", "- ", "`", "**", "\n\n"]) excerptOf(piece.repeat(20_000));
    // What this process has worked, not what the clock says: others work on the machine, too.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

describe("the file of a curated answer", () => {
  test.each([
    ["Is it: yes or no? # really", { tags: ["a: b", "c"], draft: true }],
    ['"quotes" and \\ backslashes', { reviewed: "2026-11-21", question: "the one before" }],
    ["--- not the end", { nested: { a: [1, null], "---": "x" } }],
    ["💥 ünïcode \u2028 line", {}],
  ])("is read again as it was written: %j", (question, frontMatter) => {
    const file = answerFile([question, "And so?"], "\n\nSo.\n\n---\n\nMore.\n", frontMatter);
    const { data, body, fault } = splitFrontMatter(file);
    expect(fault).toBeUndefined();
    const expected = [question, "And so?"].map((text) => text.replace(/\s+/g, " "));
    expect(readQuestions(data)).toEqual({ questions: expected, faults: [] });
    const { questions: _, ...others } = data;
    const { question: __, ...kept } = Object(frontMatter);
    expect(others).toEqual(kept);
    expect(body.trim()).toBe("So.\n\n---\n\nMore.");
  });

  test.each(["reset-password", "space/moon", "Über.2_x", "如何"])("%s is a name", (name) => {
    expect(nameFault(name)).toBeUndefined();
  });
  test.each(["", "-a", "a//b", "a/../b", "/a", "a/", "a b", "x".repeat(101)])("%j is none", (name) => {
    expect(nameFault(name)).toBeString();
  });

  test("has a name of its question's words, which no other answer has", () => {
    expect(nameOfQuestion("How do I reset my password?")).toBe("how-do-i-reset-my-password");
    expect(freeName("a", [])).toBe("a");
    expect(freeName("a", ["a", "a-2"])).toBe("a-3");
    expect(answerPath("docs.example.com", "space/the moon")).toBe(
      "/v1/admin/sites/docs.example.com/answers/space/the%20moon",
    );
  });

  test("has each of its lines once", () => {
    expect(linesOf(" a \n\nb\na\r\n")).toEqual(["a", "b"]);
  });
});

test("an answer says how far it is, to its end", () => {
  const turn = newTurn("1", "How?", {}, 0);
  const said = (changes: Partial<Turn>) => progressWords({ ...turn, ...changes });
  expect(said({})).toBe("Searching the docs…");
  expect(said({ status: "waiting" })).toBe("Waiting for the model…");
  expect(said({ status: "waiting", queuePosition: 2 })).toBe("Number 2 in the queue…");
  expect(said({ status: "answering" })).toBe("The answer is being written.");
  expect(said({ status: "done" })).toBe("The answer is complete.");
  expect(said({ status: "stopped" })).toBe("Stopped.");
});
