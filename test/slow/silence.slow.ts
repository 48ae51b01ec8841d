import { expect, test } from "bun:test";
import { partsOf, question, startDocent, textOf } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";

const SILENCE_MS = 31_000;

test(
  "a model that is silent for more than thirty seconds before its first word is waited for",
  async () => {
    const ollama = startFakeOllama({ reply: { text: "At last [1].", firstTokenMs: SILENCE_MS } });
    const docent = await startDocent({ ollama: ollama.url });
    const reply = await docent.post(question("How do I install Acme on Linux?"));
    const wire = await reply.text();
    expect(textOf(wire)).toStartWith("At last [[1]]");
    expect(partsOf(wire).at(-1)?.code).toBe("d");
    // With the setting's default, a sign of life every eight seconds.
    expect(wire.split("\n").filter((line) => line === "").length).toBeGreaterThanOrEqual(3);
    await docent.close();
    await ollama.stop();
  },
  SILENCE_MS + 15_000,
);
