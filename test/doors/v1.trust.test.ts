import { afterEach, describe, expect, test } from "bun:test";
import type { SiteSettings } from "../../src/sites/site/settings.ts";
import { databaseOf } from "../helpers/database-of.ts";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { type FakeOllamaOptions, startFakeOllama } from "../helpers/fake-ollama.ts";
import type { FakeReply } from "../helpers/fake-ollama-replies.ts";

const ASKED = "How do I install Acme on Linux?";
const INSTALL = "https://docs.acme.example/guide/install#linux";
const NOT_COVERED = "The documentation doesn't cover this.";
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(reply: FakeReply, settings: Partial<SiteSettings> = {}, more: FakeOllamaOptions = {}) {
  const ollama = startFakeOllama({ reply, ...more });
  const docent = await startDocent({ ollama: ollama.url });
  open.push(docent, { close: () => ollama.stop() });
  await docent.app.parts.people.sites.set("acme", { settings });
  return { docent, ollama };
}

async function ask(docent: TestDocent, text = ASKED) {
  const wire = await (await docent.post(question(text))).text();
  const parts = partsOf(wire);
  return {
    text: textOf(wire),
    sources: parts.filter(({ code }) => code === "h").length,
    reasoning: parts.flatMap(({ code, value }) => (code === "g" ? [String(value)] : [])).join(""),
    last: parts.findLast(({ code }) => code === "8")?.value,
    turn: stored(docent),
  };
}

const stored = (docent: TestDocent) =>
  databaseOf(docent.app)
    .query<{ outcome: string; answer: string; support_share: number | null; cited: string | null }, []>(
      "SELECT outcome, answer, support_share, cited_json AS cited FROM turns ORDER BY created_at DESC, id DESC LIMIT 1",
    )
    .get();

describe("outcome", () => {
  test("answered: by the model, with the share of its statements that are not in doubt", async () => {
    const text = "Run the installer from your terminal [1]. It was written by a famous violinist in 1742.";
    const { last, turn } = await ask((await start({ text })).docent);
    expect(last).toMatchObject([{ outcome: "answered", responder: "ollama" }]);
    expect(turn).toMatchObject({ outcome: "answered", support_share: 0.5 });
  });

  test("unanswered: the docs do not cover it, and no model writes an answer", async () => {
    const { docent, ollama } = await start({ text: "Yes." }, { contact: "help@acme.example" });
    const { text, last, turn, sources } = await ask(docent, "What is the airspeed of an unladen swallow?");
    expect(text).toBe(`${NOT_COVERED}\n\nYou can ask here: [help@acme.example](mailto:help@acme.example)`);
    expect(last).toMatchObject([{ outcome: "unanswered", responder: "extractive" }]);
    expect(turn).toMatchObject({ outcome: "unanswered", answer: text, support_share: null });
    expect(sources).toBe(0);
    // Asked only for other words to search with, which found nothing either.
    expect(ollama.chats.map(({ body }) => body.options?.["num_predict"])).toEqual([60]);
  });

  test("unanswered: the model says that it does not know, and what it cites is no answer", async () => {
    const { docent } = await start(
      { text: "The passages do not say anything about that [1]." },
      { contact: "https://acme.example/forum" },
    );
    const { text, last, turn, sources } = await ask(docent);
    expect(text).toContain(`\n\nThese pages come nearest:\n\n- [Install Acme › Linux](${INSTALL})`);
    expect(text).toEndWith("\n\nYou can ask here: <https://acme.example/forum>");
    expect(text).not.toContain("```suggestions");
    expect(last).toMatchObject([{ outcome: "unanswered", responder: "ollama" }]);
    expect(turn).toMatchObject({ outcome: "unanswered", support_share: null, cited: "[]" });
    expect(sources).toBe(0);
  });

  test("quoted: there is no model", async () => {
    const { docent, ollama } = await start({});
    await ollama.stop();
    const { last, turn } = await ask(docent);
    expect(last).toMatchObject([{ outcome: "quoted", responder: "extractive" }]);
    expect(turn).toMatchObject({ outcome: "quoted", support_share: null });
  });

  test("failed: the model breaks off, and what it wrote is kept", async () => {
    const { docent } = await start({ text: "Run the installer", end: "error" });
    const wire = await (await docent.post(question(ASKED))).text();
    expect(partsOf(wire).at(-1)?.code).toBe("3");
    expect(stored(docent)).toMatchObject({ outcome: "failed", answer: "Run the installer" });
  });

  test("stopped: the reader leaves, and what was written is kept", async () => {
    const { docent, ollama } = await start({ text: "Run the installer", end: "hang" });
    const leave = new AbortController();
    const reply = await docent.post(question(ASKED), { signal: leave.signal });
    const reader = reply.body?.getReader();
    let wire = "";
    // What was found names the installer as well, before anything is written of it.
    while (!/^0:.*installer/m.test(wire)) wire += new TextDecoder().decode((await reader?.read())?.value);
    leave.abort();
    await ollama.until(() => stored(docent)?.outcome === "stopped");
    expect(stored(docent)?.answer).toBe("Run the installer");
  });
});

describe("an answer of which the docs say nothing", () => {
  const QUOTING = "This is what the documentation says, word for word:";
  const INVENTED = "Sing a song about boats until the violinist comes home. He plays for the king of Spain.";

  test("is none where it cites nothing: it is followed by what the docs say themselves", async () => {
    const { text: shown, last, turn } = await ask((await start({ text: INVENTED })).docent);
    expect(shown).toStartWith(INVENTED);
    expect(shown.slice(shown.indexOf(QUOTING))).toMatch(/\n> .*installer/);
    expect(last).toMatchObject([{ outcome: "touched", responder: "ollama" }]);
    expect(turn).toMatchObject({ outcome: "touched", support_share: 0 });
    expect(turn?.answer).toContain(QUOTING);
  });

  test("is marked in the site's language", async () => {
    const { docent } = await start({ text: INVENTED }, { language: "de" });
    expect((await ask(docent, "Acme Linux")).text).toContain("Das steht wörtlich in der Dokumentation:");
  });

  test("is left as it is where it cites what it is from, though a statement is in doubt", async () => {
    const text = "Run the installer from your terminal [1]. It was written by a famous violinist in 1742.";
    const { text: shown, turn } = await ask((await start({ text })).docent);
    expect(shown).not.toContain(QUOTING);
    expect(turn).toMatchObject({ outcome: "answered" });
    expect(turn?.support_share).toBeLessThan(1);
  });

  test("has nothing behind it where the docs say all of it", async () => {
    const { text: shown, turn } = await ask(
      (await start({ text: "Run the installer from your terminal [1]." })).docent,
    );
    expect(shown).not.toContain(QUOTING);
    expect(turn).toMatchObject({ outcome: "answered", support_share: 1 });
  });
});

describe("what a reader is shown", () => {
  test("has no link, image or tag that a passage planted", async () => {
    const text =
      "Run it ![x](https://evil.example/p.png) from [here](https://evil.example) or https://evil.example/x <img src=x> [1].";
    const shown = (await ask((await start({ text })).docent)).text;
    expect(shown).toStartWith(
      `Run it x from here or \`https://evil.example/x\` \\<img src=x> [[1]](${INSTALL}).`,
    );
  });

  test("has the links in their place where the model cites nothing", async () => {
    const text = "Run the installer from your terminal.\n\nThen sing a song about boats.";
    const { docent } = await start({ text });
    const answer = await ask(docent);
    expect(answer.text).toStartWith(
      `Run the installer from your terminal. [[1]](${INSTALL})\n\nThen sing a song about boats.`,
    );
    expect(answer.text).not.toContain("Sources:");
    expect(answer.sources).toBe(1);
    expect(answer.turn?.support_share).toBe(0.5);
  });

  test("has none of the thoughts that a model writes into its answer", async () => {
    const { docent } = await start({
      text: ["<thi", "nk>Hm [1]", ".</th", "ink>\n\nRun the installer [1]."],
    });
    const { text, reasoning, turn } = await ask(docent);
    expect(reasoning).toBe(`Hm [[1]](${INSTALL}).`);
    expect(text).toStartWith(`Run the installer [[1]](${INSTALL}).`);
    expect(turn?.answer).toBe(text);
  });

  test("is an error where a model only thinks", async () => {
    const { docent } = await start({ text: "<think>Hm, and so on" });
    const wire = await (await docent.post(question(ASKED))).text();
    expect(partsOf(wire).at(-1)?.code).toBe("3");
    expect(stored(docent)).toMatchObject({ outcome: "failed", answer: "" });
  });

  test("ends with one block of suggestions, which is never the model's", async () => {
    const text = "Run the installer [1].\n\n```suggestions\n(Evil)[/evil]\n```";
    const { docent } = await start({ text });
    expect((await ask(docent)).text).not.toContain("evil");
    await docent.app.parts.people.sites.set("acme", { settings: { suggestions: false } });
    expect((await ask(docent)).text).toBe(`Run the installer [[1]](${INSTALL}).\n\n`);
  });
});
