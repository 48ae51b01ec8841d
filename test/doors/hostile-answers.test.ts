import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { partsOf, question, startDocent, type TestDocent, textOf } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { ATTACKS, harmIn } from "../helpers/hostile-answers.ts";
import { askV2, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

const ASKED = "How do I install Acme on Linux?";
const completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string(), reasoning_content: z.string() }) })]),
});
const isOfTheDocs = (url: string) => url.startsWith("https://docs.acme.example/");

let docent: TestDocent;
let ollama: FakeOllama;
beforeAll(async () => {
  ollama = startFakeOllama({ models: [{ name: "tiny:latest", capabilities: ["completion", "thinking"] }] });
  docent = await startDocent({
    ollama: ollama.url,
    settings: { answer_cache_answers: "0", thinking: "on" },
  });
});
afterAll(async () => {
  await docent.close();
  await ollama.stop();
});

/** What a reader is shown by each door: the answer, and what the model thought. */
const DOORS: Record<string, () => Promise<{ answer: string; thoughts: string }>> = {
  v1: async () => {
    const wire = await (await docent.post(question(ASKED))).text();
    const thoughts = partsOf(wire).flatMap(({ code, value }) => (code === "g" ? [String(value)] : []));
    return { answer: textOf(wire), thoughts: thoughts.join("") };
  },
  v2: async () => {
    const { chunks, text } = await askV2(docent, questionV2(ASKED));
    const thoughts = chunksOfType(chunks, "reasoning-delta").map(({ delta }) => delta);
    return { answer: text, thoughts: thoughts.join("") };
  },
  "chat completions": async () => {
    const reply = await fetch(`${docent.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${docent.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme", messages: [{ role: "user", content: ASKED }] }),
    });
    const [{ message }] = completion.parse(await reply.json()).choices;
    return { answer: message.content, thoughts: message.reasoning_content };
  },
};

for (const [door, ask] of Object.entries(DOORS))
  describe(`by ${door}, neither answer nor thoughts hold anything alive`, () => {
    for (const [name, written] of ATTACKS)
      test(name, async () => {
        ollama.replyWith({ thinking: [written], text: ["Run the installer [1].\n\n", written] });
        const { answer, thoughts } = await ask();
        expect(answer).toContain("Run the installer");
        expect(thoughts).not.toBe("");
        expect({ answer, harm: harmIn(answer, isOfTheDocs) }).toEqual({ answer, harm: {} });
        expect({ thoughts, harm: harmIn(thoughts, isOfTheDocs) }).toEqual({ thoughts, harm: {} });
      });
  });
