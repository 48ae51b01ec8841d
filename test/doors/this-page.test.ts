import { afterEach, describe, expect, test } from "bun:test";
import { asksOfThisPage } from "../../src/answering/answer/seek.ts";
import { partsOf, question, startDocent, textOf } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function ask(text: string, more: Record<string, unknown> = {}) {
  const ollama = startFakeOllama({ reply: { text: "It is about settings [1]." } });
  const docent = await startDocent({ ollama: ollama.url });
  open.push(docent, { close: () => ollama.stop() });
  const wire = await (await docent.post(question(text, more))).text();
  const prompt = ollama.chats.at(-1)?.body.messages.at(-1)?.content ?? "";
  const outcome = JSON.stringify(partsOf(wire).findLast(({ code }) => code === "8")?.value);
  return { text: textOf(wire), prompt, outcome };
}

describe("a question about the page that its reader is on", () => {
  test("is answered from that page, from its top, before all else that was found", async () => {
    const { text, prompt, outcome } = await ask("Summarize this page", { currentPath: "/guide/configure" });
    expect(prompt).toMatch(/^<passages>\n<passage number="1">\nConfiguration/);
    expect(prompt).toContain("retention_days");
    expect(prompt).toContain("HTTPS_PROXY");
    expect(outcome).toContain('"outcome":"answered"');
    expect(text).toContain("/guide/configure");
  });

  test("is an ordinary one where no page is known, or the reader sees no such page", async () => {
    for (const more of [{}, { currentPath: "/guide/none" }]) {
      const { prompt } = await ask("Summarize this page on how Acme is installed on Linux", more);
      expect(prompt).toStartWith('<passages>\n<passage number="1">\nInstall Acme');
    }
  });

  test.each([
    "what does this page say about proxies?",
    "Fasse diese Seite zusammen",
    "résume cette page",
    "resume esta página",
    "总结一下这个页面",
    "このページを要約して",
  ])("is told by its words: %s", (text) => {
    expect(asksOfThisPage(text)).toBe(true);
  });

  test.each(["How do I add a page?", "Which page size is used?", "page not found"])(
    "is not every one that has a page in it: %s",
    (text) => {
      expect(asksOfThisPage(text)).toBe(false);
    },
  );
});
