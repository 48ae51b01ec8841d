import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createStage, INSTALL, lastTurn, readUntil } from "../helpers/real-ollama-docent.ts";
import { CHAT_OTHER, realOllama } from "../helpers/real-ollama-here.ts";
import { askV2, chunksOfType, questionV2 } from "../helpers/ui-message.ts";

const stage = createStage();

test("a real model's answer is a stream that the strictest client reads, and is stored as it was read", async () => {
  const docent = await stage.docent(realOllama().url);
  const { chunks, text, reply } = await askV2(docent, questionV2(INSTALL));
  const turn = lastTurn(docent);
  expect(text).not.toBe("");
  expect(turn?.answer).toBe(text);
  // More than one: it is streamed, and not sent whole at the end.
  expect(chunksOfType(chunks, "text-delta").length).toBeGreaterThan(1);
  expect(chunks.at(-1)).toEqual({
    type: "finish",
    messageMetadata: {
      threadId: reply.headers.get("x-thread-id"),
      outcome: turn?.outcome,
      responder: "ollama",
      model: "smollm2:latest",
      finishReason: expect.stringMatching(/^(stop|length)$/),
      usage: { promptTokens: turn?.prompt_tokens, completionTokens: turn?.completion_tokens },
    },
  });
  const cited: { url: string }[] = JSON.parse(turn?.cited_json ?? "[]");
  expect(chunksOfType(chunks, "source-url").map(({ url }) => url)).toEqual(cited.map(({ url }) => url));
});

test.if(process.platform === "linux")("a reader who stops lets the model rest within a second", async () => {
  const ollama = await stage.ollama();
  // This one never comes to an end by itself.
  const docent = await stage.docent(ollama.url, { model: CHAT_OTHER, answer_tokens: "900" });
  const leaving = new AbortController();
  const reply = await docent.post(questionV2(INSTALL), { version: "v2", signal: leaving.signal });
  let runner = 0;
  let busyTicks = 0;
  const reading = readUntil(reply, '"text-delta"', async () => {
    [runner = 0] = ollama.runners();
    busyTicks = await ticksDuring(runner, 300);
    leaving.abort(new Error("the reader stopped"));
  });
  await expect(reading).rejects.toThrow("the reader stopped");
  await Bun.sleep(1000);
  expect(await ticksDuring(runner, 300)).toBeLessThan(busyTicks / 4);
  expect(lastTurn(docent)).toMatchObject({ outcome: "stopped", responder: "ollama" });
});

/** How much a process had of the processor during that time, in ticks of which a second has a hundred. */
async function ticksDuring(pid: number, ms: number): Promise<number> {
  const before = ticksOf(pid);
  await Bun.sleep(ms);
  return ticksOf(pid) - before;
}

function ticksOf(pid: number): number {
  // The name before them is in brackets, and may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
