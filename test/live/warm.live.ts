import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { question } from "../helpers/docent.ts";
import { createWorkplace } from "../helpers/program.ts";
import { until } from "../helpers/real-ollama-chat.ts";
import {
  ANSWER_TOKENS,
  ask,
  CONTEXT_TOKENS,
  createStage,
  hasLogged,
  INSTALL,
  nextQuestion,
  turnsOf,
} from "../helpers/real-ollama-docent.ts";
import { CHAT } from "../helpers/real-ollama-here.ts";
import type { TappedChat } from "../helpers/real-ollama-tap.ts";

const stage = createStage();

describe("the model", () => {
  test("is loaded at the start as the first question wants it: none of a thread loads it again", async () => {
    const ollama = await stage.ollama();
    const tap = stage.tap(ollama.url);
    const docent = await stage.docent(tap.url, { preload: "on" });
    await until(() => hasLogged(docent, "the model is loaded"));
    const [runner = 0, ...others] = ollama.runners();
    expect([runner > 0, others]).toEqual([true, []]);

    const { threadId } = await ask(docent, question(INSTALL));
    await ask(docent, nextQuestion(threadId, "And on Windows?"));
    expect(ollama.runners()).toEqual([runner]);
    expect(turnsOf(docent).map(({ responder }) => responder)).toEqual(["ollama", "ollama"]);
    expect(tap.loads.length).toBe(1);
    // Two answers, and the second question in the docs' words before it, which is cut off sooner.
    expect(tap.chats.length).toBe(3);
    const runs = [...tap.loads, ...tap.chats].map(({ body }) => JSON.stringify(runOf(body)));
    expect(new Set(runs).size).toBe(1);
  });
});

/** All that decides whether a model that is loaded can be used as it is. */
const runOf = ({ model, options, think, keep_alive }: TappedChat["body"]) => ({
  model,
  contextTokens: options?.num_ctx,
  think,
  keep_alive,
});

describe("docent doctor", () => {
  const findings = z.array(z.looseObject({ what: z.string(), state: z.string(), says: z.string() }));

  test("says how the real model does, cold and warm, and what context it was given", async () => {
    const ollama = await stage.ollama();
    const place = createWorkplace({
      OLLAMA_HOST: ollama.url,
      DOCENT_MODEL: CHAT,
      DOCENT_CONTEXT_TOKENS: String(CONTEXT_TOKENS),
      DOCENT_ANSWER_TOKENS: String(ANSWER_TOKENS),
    });
    const examine = async (...flags: string[]) => {
      const { code, out, err } = await place.run("doctor", "--json", ...flags);
      if (code !== 0) throw new Error(err);
      const says = findings.parse(JSON.parse(out)).map((each) => [each.what, each.says]);
      return Object.fromEntries(says);
    };
    try {
      const first = await examine();
      expect(first["model in memory"]).toMatch(
        /^smollm2:latest was not in memory, and was loaded: first word after [\d.]+ s, [\d.]+ s of it for loading/,
      );
      expect(first["model speed"]).toMatch(
        /^first word of an answer to a prompt of [23]\d\d tokens after [\d.]+ s, reads \d+ tokens a second, writes \d+$/,
      );
      expect(first["model context"]).toBe(
        `${CONTEXT_TOKENS} tokens, as asked for; a prompt may be ${CONTEXT_TOKENS - ANSWER_TOKENS} of them, the rest is for the answer`,
      );
      expect((await examine("--cold"))["model in memory"]).toMatch(
        /^smollm2:latest was unloaded for this, and loaded again: first word after [\d.]+ s, [\d.]+ s of it for loading/,
      );
    } finally {
      await place.dispose();
    }
  });
});
