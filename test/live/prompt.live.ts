import { describe, expect, test } from "bun:test";
import { question, type TestDocent } from "../helpers/docent.ts";
import { patientClient } from "../helpers/real-ollama-chat.ts";
import {
  ANSWER_TOKENS,
  ask,
  CONTEXT_TOKENS,
  createStage,
  hasLogged,
  INSTALL,
  INSTALL_OTHER,
  type StoredTurn,
  turnsOf,
} from "../helpers/real-ollama-docent.ts";
import type { RealOllama } from "../helpers/real-ollama.ts";
import { CHAT, CHAT_OTHER, realOllama } from "../helpers/real-ollama-here.ts";
import type { TappedChat } from "../helpers/real-ollama-tap.ts";
import { never } from "../ollama/helpers.ts";

const { url } = realOllama();
const stage = createStage();
/** Whatever is asked, the model is. */
const NO_GATE = { relevance_min: "0" };
/** Template words between the messages, and before the answer. */
const TEMPLATE_TOKENS = 12;

describe.each([CHAT, CHAT_OTHER])("what %s reads", (model) => {
  /** Pages and languages whose tokens are not alike. */
  const ASKED = [
    INSTALL,
    "What is Acme?",
    "How long are archived files kept?",
    "Which variable is for a proxy?",
    "Wie installiere ich Acme unter Windows 10?",
    "如何在 Linux 上安装 Acme？",
    "Does `sh install.sh --prefix=/opt/acme && echo $?` need root?",
    "Como instalar o Acme com brew no macOS?",
  ];

  test("is never more than was estimated with its margin, and after a few replies within a quarter of it", async () => {
    const docent = await stage.docent(url, { ...NO_GATE, model, answer_tokens: "16" });
    for (const text of ASKED) await ask(docent, question(text));
    for (const text of [INSTALL_OTHER, "What is `retention_days`?"]) await ask(docent, question(text));
    const sizes = turnsOf(docent).map(sizesOf);
    expect(sizes.length).toBe(ASKED.length + 2);
    for (const { read, estimated } of sizes) {
      expect(read).toBeGreaterThan(100);
      // The margin of a model of which nothing is known.
      expect(read / estimated).toBeLessThanOrEqual(1.1);
      expect(read).toBeLessThanOrEqual(CONTEXT_TOKENS - ANSWER_TOKENS);
    }
    for (const { read, estimated } of sizes.slice(ASKED.length))
      expect(Math.abs(estimated / read - 1)).toBeLessThanOrEqual(0.25);
    const first = sizes.find(({ question: asked }) => asked === INSTALL);
    console.log(model, sizes);
    expect(hasLogged(docent, "probably cut") || hasLogged(docent, "larger than estimated")).toBe(false);
  });
});
