import { afterEach, describe, expect, test } from "bun:test";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, textOf } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import type { FakeReply } from "../helpers/fake-ollama-replies.ts";

const QUOTED = "This is what the documentation says, word for word:";
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** What a reader gets for what a model writes, a character at a time. */
async function answer(
  reply: FakeReply,
  settings: Record<string, string> = {},
  asked = question("How do I install Acme on Linux?"),
) {
  const ollama = startFakeOllama({ reply });
  const docent = await startDocent({
    ollama: ollama.url,
    settings: { answer_cache_answers: "0", ...settings },
  });
  open.push(docent, { close: () => ollama.stop() });
  const wire = await (await docent.post(asked)).text();
  const parts = partsOf(wire);
  const turn = databaseOf(docent.app)
    .query<{ outcome: string; responder: string | null }, []>("SELECT outcome, responder FROM turns")
    .get();
  return { text: textOf(wire), parts, turn, ollama, error: parts.find(({ code }) => code === "3") };
}

const written = (text: string): FakeReply => ({ text: [...text] });

describe("a model that goes on behind its answer", () => {
  test("is stopped, and its reader sees nothing of the turn that it invents", async () => {
    const text = ["Run it [1].", "<|im_end|>", "\n<|im_start|>", "user\nAnd TLS?", "<|im_end|>"];
    const reply = await answer({ text, endless: true });
    expect(reply.text).toMatch(/^Run it \[\[1\]\]\(\S+\)\.(?:\n\n```suggestions|$)/);
    expect(reply.turn).toEqual({ outcome: "answered", responder: "ollama" });
    expect(reply.parts.at(-1)).toMatchObject({ code: "d", value: { finishReason: "stop" } });
    await reply.ollama.until(() => reply.ollama.chats[0]?.aborted === true);
  });
});

describe("an answer within a Markdown fence", () => {
  test("is shown as one, its code in its own fence", async () => {
    const { text } = await answer(
      written("```markdown\nRun it [1]:\n\n```sh\nsh install.sh\n```\n\nDone.\n```"),
    );
    expect(text).toMatch(/^Run it \[\[1\]\]\(\S+\):\n\n```sh\nsh install\.sh\n```\n\nDone\.\n/);
    expect(text).not.toContain("markdown");
  });
});

describe("what is no answer leaves the question to the docs' own words", () => {
  test.each([
    ["white space", " \n\n  \n"],
    ["a function", '<function=search>{"query": "install"}</function>'],
    [
      "a call between tags",
      '<tool_call>\n{"name": "search", "arguments": {"query": "install"}}\n</tool_call>',
    ],
    ["an unreadable call", '<tool_call>\n{"name": "search", "argum'],
    ["a call of another tool", '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>'],
    ["a call as JSON", '```json\n{"name": "search", "parameters": {"query": "install"}}\n```'],
    ["a ReAct step", "Thought: I need the docs.\nAction: search\nAction Input: install on Linux"],
    ["a search that is announced", "I will search for how to install Acme on Linux."],
    [
      "a search that is announced, and called",
      'Let me search the docs.\n<tool_call>{"name": "search"}</tool_call>',
    ],
    ["the end of a turn", "<|im_end|>\n<|im_start|>user\nAnd TLS?"],
  ])("%s", async (_, text) => {
    const reply = await answer(written(text));
    expect(reply.text).toStartWith(QUOTED);
    expect(reply.turn).toEqual({ outcome: "quoted", responder: "extractive" });
    expect(reply.error).toBeUndefined();
  });

  test("and without them is an error that says what to do", async () => {
    const reply = await answer(written(" \n "), { fallback: "error" });
    expect(reply.text).toBe("");
    expect(reply.turn?.outcome).toBe("failed");
    expect(reply.error?.value).toContain("Please try again.");
  });
});

describe("an answer with a call in it", () => {
  test("is shown without the call", async () => {
    const call = '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>';
    const before = await answer(written(`Run it [1].\n\n${call}`));
    expect(before.text).toMatch(/^Run it \[\[1\]\]\(\S+\)\.\n/);
    const behind = await answer(written(`${call}\n\nRun it [1].`));
    expect(behind.text).toMatch(/^Run it \[\[1\]\]\(\S+\)\./);
    for (const { text, turn } of [before, behind]) {
      expect(text).not.toContain("tool_call");
      expect(turn?.outcome).toBe("answered");
    }
  });

  test("behind the steps that led to it is shown alone", async () => {
    const steps =
      "Thought: I know.\nAction: search\nAction Input: x\nObservation: y\nFinal Answer: Run it [1].";
    expect((await answer(written(steps))).text).toMatch(/^Run it \[\[1\]\]\(\S+\)\./);
  });
});

describe("an answer that was cut because it was too long", () => {
  const cut: FakeReply = { text: [..."Run the installer [1] and then st"], doneReason: "length" };

  test("says so", async () => {
    const { text } = await answer(cut);
    expect(text).toContain("and then st\n\nThe answer was cut off here because it became too long.");
  });

  test("in its reader's language", async () => {
    const { text } = await answer(cut, {}, question("Wie kann ich Acme unter Linux installieren, install?"));
    expect(text).toContain("and then st\n\nDie Antwort wurde hier abgebrochen, weil sie zu lang wurde.");
  });

  test("outside of code that was open", async () => {
    const text = [..."Run [1]:\n\n```sh\nsh inst"];
    expect((await answer({ text, doneReason: "length" })).text).toContain(
      "sh inst\n```\n\nThe answer was cut off here",
    );
  });

  test("and one that is whole does not", async () => {
    expect((await answer(written("Run it [1]."))).text).not.toContain("cut off");
  });
});
