import { describe, expect, test } from "bun:test";
import { showBody } from "../../../src/models/ollama/client/wire.ts";
import {
  counterOf,
  TOKEN_FAMILIES,
  type TokenFamily,
  tokenFamilyOf,
  tokensAtMost,
} from "../../../src/models/ollama/tokens/count.ts";
import recorded from "../../fixtures/tokens/counts.json";
import texts from "../../fixtures/tokens/texts.json";

const textOf = new Map(Object.entries(texts));
/** What documentation in English is made of. */
const DOCS = [
  "prose",
  "technical",
  "markdown",
  "typescript",
  "python",
  "go",
  "cpp",
  "shell",
  "yaml",
  "json",
  "xml",
  "sql",
  "table",
  "urls",
  "logs",
  "identifiers",
  "paths",
];

const isFamily = (name: string): name is TokenFamily => TOKEN_FAMILIES.some((family) => family === name);

/** For each text of a model: how many times too many tokens are counted. */
function ratiosOf({ family, tokens }: (typeof recorded.models)[number], only?: string[]): number[] {
  if (!isFamily(family)) throw new Error(`no such family: ${family}`);
  const count = counterOf(family);
  return Object.entries(tokens)
    .filter(([name]) => only === undefined || only.includes(name))
    .map(([name, read]) => count(textOf.get(name) ?? "") / read)
    .sort((one, other) => one - other);
}

const middle = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

describe("what real tokenizers make of texts", () => {
  for (const recording of recorded.models) {
    test(`documentation is counted close to ${recording.model}'s tokens, and rather too high`, () => {
      const ratios = ratiosOf(recording, DOCS);
      expect(ratios).toHaveLength(DOCS.length);
      expect(middle(ratios)).toBeGreaterThan(1.02);
      expect(middle(ratios)).toBeLessThan(1.25);
    });

    test(`no text at all is more than a margin below ${recording.model}'s tokens`, () => {
      const ratios = ratiosOf(recording);
      expect(ratios.length).toBe(textOf.size);
      expect(ratios[0]).toBeGreaterThan(0.85);
    });
  }

  test("a whole prompt of mixed documentation is never counted below what any of the models reads", () => {
    for (const { family, tokens, model } of recorded.models) {
      if (!isFamily(family)) throw new Error(family);
      const read = Object.entries(tokens).filter(([name]) => DOCS.includes(name));
      const sum = read.reduce((total, [, count]) => total + count, 0);
      const prompt = read.map(([name]) => textOf.get(name)).join("");
      expect({ model, enough: counterOf(family)(prompt) >= sum }).toEqual({ model, enough: true });
    }
  });

  test("of an unknown tokenizer, text in any language is counted at least as high as any of them reads it", () => {
    // Ciphers are not text: an unknown tokenizer may need a margin for them.
    const ciphers = ["base64", "hex"];
    for (const { tokens, model } of recorded.models) {
      for (const [name, read] of Object.entries(tokens)) {
        const least = ciphers.includes(name) ? 0.7 * read : name === "spaces" ? 0.9 * read : 0.95 * read;
        const counted = tokensAtMost(textOf.get(name) ?? "");
        expect({ model, name, enough: counted >= least }).toEqual({ model, name, enough: true });
      }
    }
  });
});

describe("the careful count", () => {
  test.each([
    ["one letter beyond U+0800 before a long word", `\u1ebb${"b".repeat(1000)}`, 250],
    ["full-width letters", "\uff21".repeat(1000), 1000],
    ["Vietnamese, letter by letter", "\u1ec7\u1ebb".repeat(500), 1000],
    ["Greek with its old marks", "\u1f00".repeat(1000), 1000],
  ])("grows with the text: %s", (_name, text, least) => {
    expect(tokensAtMost(text)).toBeGreaterThanOrEqual(least);
  });
});

const HOSTILE: [string, string][] = [
  ["nothing", ""],
  ["a lone half of a character", "\ud800".repeat(50)],
  ["NUL and other control characters", "\u0000\u0007\u001b".repeat(50)],
  ["text from right to left with its marks", `\u202e\u200f${"שלום مرحبا ".repeat(20)}`],
  ["families of people", "👩‍👩‍👧‍👦".repeat(50)],
  ["letters under a heap of accents", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢".repeat(20)],
  ["the last character there is", "\uffff".repeat(50)],
];

describe.each([...TOKEN_FAMILIES])("counting for %s", (family) => {
  const count = counterOf(family);

  test.each(HOSTILE)("is a whole number, and not below what it holds: %s", (_, text) => {
    const tokens = count(text);
    expect(Number.isInteger(tokens)).toBe(true);
    expect(tokens).toBeGreaterThanOrEqual(text.length / 32);
  });

  test("a text is never fewer tokens than its beginning", () => {
    if (family === "unknown") return expect(count).toBe(tokensAtMost);
    for (const text of textOf.values()) {
      let before = 0;
      for (let length = 0; length <= text.length; length++) {
        const tokens = count(text.slice(0, length));
        expect(tokens).toBeGreaterThanOrEqual(before);
        before = tokens;
      }
    }
  });

  test("five megabytes are counted in one pass: twice the text is twice the tokens", () => {
    const text = [...textOf.values()].join("\n").repeat(200).slice(0, 2_500_000);
    const once = count(text);
    expect(count(text + text)).toBeGreaterThan(1.99 * once);
    expect(count(text + text)).toBeLessThan(2.01 * once);
  });
});

test("no counter finds less than a token in 16 characters, so what is far too long can be cut before it is counted", () => {
  for (const family of TOKEN_FAMILIES) {
    const count = counterOf(family);
    for (const character of ["a", "A", " ", "\n", "\t", "-", "─", "1", "é", "я", "漢", "\u0000"]) {
      expect(count(character.repeat(16_000))).toBeGreaterThanOrEqual(1000);
    }
  }
});

describe("the family of a model", () => {
  const shown = (info: Record<string, unknown>) => showBody.parse({ model_info: info });
  const CASES: [string, Record<string, unknown>, TokenFamily][] = [
    ["SmolLM2", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm" }, "bpe-small"],
    ["Llama 3", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "llama-bpe" }, "bpe-large"],
    ["Qwen 2", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "qwen2" }, "bpe-large"],
    ["gpt-oss", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-4o" }, "bpe-large"],
    ["Mistral Nemo", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "tekken" }, "bpe-large"],
    ["Mistral", { "general.architecture": "llama", "tokenizer.ggml.model": "llama" }, "sentencepiece"],
    ["Gemma", { "general.architecture": "gemma3", "tokenizer.ggml.model": "llama" }, "gemma"],
    ["one that is not known yet", { "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "new" }, "unknown"],
    ["another kind", { "tokenizer.ggml.model": "rwkv" }, "unknown"],
    ["nonsense", { "tokenizer.ggml.model": 7, "tokenizer.ggml.pre": null }, "unknown"],
  ];

  test.each(CASES)("%s", (_, info, family) => {
    expect(tokenFamilyOf(shown(info))).toBe(family);
  });

  test("a description without anything is of an unknown family", () => {
    expect(tokenFamilyOf(showBody.parse({}))).toBe("unknown");
  });

  test("the real descriptions of SmolLM2 and Gemma 3 name theirs", async () => {
    const read = async (name: string) => {
      const file = Bun.file(new URL(`../../fixtures/ollama/${name}.json`, import.meta.url));
      return tokenFamilyOf(showBody.parse(await file.json()));
    };
    expect(await read("show-smollm2")).toBe("bpe-small");
    expect(await read("show-gemma3")).toBe("gemma");
  });
});
