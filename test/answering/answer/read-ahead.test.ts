import { expect, test } from "bun:test";
import { createReadAhead } from "../../../src/answering/answer/prompt/read-ahead.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const TEXTS = ["Keys expire. Backups are files.", "Nothing is said of it here, nor anywhere."];

function counted() {
  const inner = wordEmbedder();
  const asked: string[][] = [];
  const embed: typeof inner.embed = (texts, purpose, signal) => {
    asked.push(texts);
    return inner.embed(texts, purpose, signal);
  };
  return { embed, asked };
}

test("each piece of a passage has its nearness to the question", async () => {
  const { readPieces, nearness } = await createReadAhead(counted())("keys expire", TEXTS, "en");
  const [first, second] = nearness?.(readPieces(TEXTS[0] ?? "", "en")) ?? [];
  expect(first ?? 0).toBeGreaterThan(second ?? 0);
});

test("a passage that was read before is not embedded again, nor one that was never read", async () => {
  const embedder = counted();
  const readAhead = createReadAhead(embedder);
  await readAhead("keys", TEXTS, "en");
  const { readPieces, nearness } = await readAhead("files", TEXTS, "en");
  expect(embedder.asked).toHaveLength(TEXTS.length + 2);
  expect(nearness?.(readPieces("Another passage.", "en"))).toBeUndefined();
});

test("others have the thread between two passages", async () => {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 0);
  let seen = 0;
  const { embed } = counted();
  const readAhead = createReadAhead({
    embed: (texts, purpose, signal) => {
      if (purpose === "question") seen = ticks;
      return embed(texts, purpose, signal);
    },
  });
  const many = Array.from({ length: 200 }, (_, index) => `Passage ${index} is about keys. `.repeat(20));
  await readAhead("keys", many, "en");
  clearInterval(ticking);
  expect(seen).toBeGreaterThan(0);
});
