import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { question } from "../helpers/docent.ts";
import { ask, createStage, INSTALL, lastTurn } from "../helpers/real-ollama-docent.ts";
import { CHAT, realOllama } from "../helpers/real-ollama-here.ts";
import { makeVariant } from "../helpers/real-ollama-variant.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const { url } = realOllama();
const stage = createStage();

describe("an answer that is there already is given without a chat", () => {
  test("that the model wrote for another reader's same question", async () => {
    // Ends by itself, with its first sentence: what was cut off is not kept.
    const stop = [". ", ".\n", "\n\n", "<|im_end|>"];
    await using brief = await makeVariant(url, "smollm2-brief", CHAT, { stop, seed: 1 });
    const tap = stage.tap(url);
    const settings = { model: brief.name, answer_tokens: "200", answer_cache_answers: "10" };
    const docent = await stage.docent(tap.url, settings);
    let asked = "";
    // A model of this size may say of any of them that it does not know.
    for (asked of [INSTALL, "What is Acme?", "Does the installer need root?"]) {
      await ask(docent, question(asked));
      if (lastTurn(docent)?.outcome === "answered") break;
    }
    const written = lastTurn(docent);
    const chats = tap.chats.length;
    const { text, wire } = await ask(docent, question(`${asked.toUpperCase()}  `, { fp: "another" }));
    expect(tap.chats).toHaveLength(chats);
    expect(text).toBe(written?.answer ?? "");
    expect(text).not.toBe("");
    expect(wire).toContain('"cached":true');
    expect(lastTurn(docent)).toMatchObject({
      outcome: "answered",
      cached: 1,
      answer: text,
      prompt_tokens: 0,
      model: "smollm2-brief:latest",
      cited_json: written?.cited_json,
      support_share: written?.support_share,
    });
  });

  test("that people wrote", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, "answers"));
    writeFileSync(join(folder.path, "install.md"), "# Install Acme\n\n## Linux\n\nRun `install.sh`.\n");
    writeFileSync(
      join(folder.path, "answers/linux.md"),
      `---\nquestion: ${INSTALL}\n---\n\nRun [the installer](../install.md#linux).\n`,
    );
    const tap = stage.tap(url);
    const docent = await stage.docent(tap.url, {}, { docs: folder.path });
    const { text } = await ask(docent, question("How can I install Acme on Linux?"));
    expect(text).toBe("Run [the installer](https://docs.acme.example/install#linux).");
    expect(lastTurn(docent)).toMatchObject({ outcome: "curated", curated: "linux", responder: null });
    expect(tap.chats).toEqual([]);

    await ask(docent, question("Why would I install Acme on Linux?"));
    expect(lastTurn(docent)).toMatchObject({ responder: "ollama", curated: null });
    expect(tap.chats).toHaveLength(1);
  });
});
