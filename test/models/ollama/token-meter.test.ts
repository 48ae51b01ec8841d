import { describe, expect, test } from "bun:test";
import { counterOf, tokensAtMost } from "../../../src/models/ollama/tokens/count.ts";
import { createTokenMeters } from "../../../src/models/ollama/tokens/tokens.ts";
import texts from "../../fixtures/tokens/texts.json";

const MODEL = { name: "tiny:latest", digest: "one", tokenizer: "bpe-large" } as const;
const ROOM = 7168;
const pieces = Object.values(texts);

/** Numbers from 0 to 1 that are the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** Texts of some hundred to some thousand tokens. */
function somePrompt(random: () => number): string {
  const parts = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    return pieces[Math.floor(random() * pieces.length)] ?? "";
  });
  return parts.join("\n\n");
}

describe("before anything was read", () => {
  test("the count is the family's", () => {
    const meter = createTokenMeters()(MODEL);
    for (const text of pieces) expect(meter.count(text)).toBe(counterOf("bpe-large")(text));
    expect(createTokenMeters()({ ...MODEL, tokenizer: "unknown" }).count("häuser")).toBe(
      tokensAtMost("häuser"),
    );
  });

  test("the margin is large, and never nothing", () => {
    const meter = createTokenMeters()(MODEL);
    expect(meter.marginTokens(ROOM)).toBeGreaterThan(ROOM * 0.08);
    expect(meter.marginTokens(0)).toBeGreaterThan(0);
  });
});

describe("what replies teach", () => {
  test.each([1, 2, 3, 4, 5])(
    "after any replies, no earlier prompt is more than its count and the margin (%d)",
    (seed) => {
      const random = chance(seed);
      const meters = createTokenMeters();
      const seen: { text: string; read: number }[] = [];
      for (let reply = 0; reply < 150; reply++) {
        const text = somePrompt(random);
        const meter = meters(MODEL);
        const estimated = meter.count(text);
        // Mostly near the estimate; now and then a language that the family's counter does not know well.
        const off = random() < 0.05 ? 1 + 2 * random() : 0.6 + 0.6 * random();
        const read = Math.max(1, Math.round(counterOf("bpe-large")(text) * off));
        meter.learn(estimated, read);
        seen.push({ text, read });
      }
      const meter = meters(MODEL);
      for (const { text, read } of seen) {
        const counted = meter.count(text);
        // What is larger was never sent.
        const room = Math.max(ROOM, counted);
        expect(counted + meter.marginTokens(room)).toBeGreaterThanOrEqual(read);
      }
    },
  );

  test.each([6, 7, 8])(
    "a prompt that fits into what the margin leaves fits into the room, whichever was read before (%d)",
    (seed) => {
      const random = chance(seed);
      const meters = createTokenMeters();
      const ratios: number[] = [];
      for (let reply = 0; reply < 100; reply++) {
        const meter = meters(MODEL);
        const ratio = 0.5 + 2 * random();
        meter.learn(meter.count(pieces[0] ?? ""), counterOf("bpe-large")(pieces[0] ?? "") * ratio);
        ratios.push(ratio);
      }
      const meter = meters(MODEL);
      const most = Math.max(...ratios);
      const budget = ROOM - meter.marginTokens(ROOM);
      const longest = "word ".repeat(budget);
      const plainPerCounted = counterOf("bpe-large")(longest) / meter.count(longest);
      expect(budget * plainPerCounted * most).toBeLessThanOrEqual(ROOM * 1.001);
    },
  );

  test("a model that reads fewer tokens than estimated is counted lower, once enough replies agree", () => {
    const meters = createTokenMeters();
    const text = pieces.join("\n");
    const plain = meters(MODEL).count(text);
    for (let reply = 0; reply < 20; reply++) {
      const meter = meters(MODEL);
      meter.learn(meter.count(text), Math.round(plain * 0.8));
      if (reply < 5) expect(meters(MODEL).count(text)).toBe(plain);
    }
    expect(meters(MODEL).count(text) / plain).toBeCloseTo(0.8, 2);
  });

  test("the margin becomes smaller while the estimates prove right, and larger when they do not", () => {
    const meters = createTokenMeters();
    const text = pieces.join("\n");
    const plain = meters(MODEL).count(text);
    const unsure = meters(MODEL).marginTokens(ROOM);
    for (let reply = 0; reply < 20; reply++) meters(MODEL).learn(plain, plain);
    const sure = meters(MODEL).marginTokens(ROOM);
    expect(sure).toBeLessThan(unsure / 2);
    for (const off of [0.7, 1.3, 0.6, 1.2]) {
      const meter = meters(MODEL);
      meter.learn(meter.count(text), Math.round(plain * off));
    }
    expect(meters(MODEL).marginTokens(ROOM)).toBeGreaterThan(sure);
  });

  test("one prompt is counted the same from its beginning to its end, whatever is learnt meanwhile", () => {
    const meters = createTokenMeters();
    const mine = meters(MODEL);
    const before = mine.count("How do I install it?");
    meters(MODEL).learn(100, 300);
    expect(mine.count("How do I install it?")).toBe(before);
    expect(meters(MODEL).count("How do I install it?")).toBeGreaterThan(before);
  });

  test("two prompts that were counted at the same time teach what they would have taught one after the other", () => {
    const meters = createTokenMeters();
    const text = pieces.join("\n");
    const first = meters(MODEL);
    const second = meters(MODEL);
    const counted = first.count(text);
    first.learn(counted, counted * 2);
    second.learn(counted, counted * 2);
    expect(meters(MODEL).count(text) / counted).toBeCloseTo(2, 2);
  });

  test("what is no count of the whole prompt is not believed", () => {
    const meters = createTokenMeters();
    const text = pieces.join("\n");
    const plain = meters(MODEL).count(text);
    for (const read of [0, 1, -5, Number.NaN, Number.POSITIVE_INFINITY, plain * 100])
      for (let reply = 0; reply < 20; reply++) meters(MODEL).learn(plain, read);
    meters(MODEL).learn(0, 100);
    expect(meters(MODEL).count(text)).toBe(plain);
    expect(meters(MODEL).marginTokens(ROOM)).toBe(createTokenMeters()(MODEL).marginTokens(ROOM));
  });
});

describe("of many models", () => {
  test("each learns for itself, and another version of a model starts anew", () => {
    const meters = createTokenMeters();
    meters(MODEL).learn(100, 300);
    expect(meters({ ...MODEL, digest: "two" }).count("word ".repeat(50))).toBe(50);
    expect(meters({ ...MODEL, name: "renamed" }).count("word ".repeat(50))).toBe(150);
  });

  test("those that have not been used for long are forgotten", () => {
    const meters = createTokenMeters();
    meters(MODEL).learn(100, 300);
    for (let other = 0; other < 31; other++) meters({ ...MODEL, digest: `other ${other}` });
    expect(meters(MODEL).count("word ".repeat(50))).toBe(150);
    for (let other = 0; other < 32; other++) meters({ ...MODEL, digest: `another ${other}` });
    expect(meters(MODEL).count("word ".repeat(50))).toBe(50);
  });
});
