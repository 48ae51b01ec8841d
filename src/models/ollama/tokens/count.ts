import type { CountTokens } from "@docent/answering/answer/prompt/prompt";
import type { ShownModel } from "../client/client.ts";

/** The columns of the rates below. */
const COLUMNS = { "bpe-large": 0, "bpe-small": 1, gemma: 2, sentencepiece: 3 } as const;

/**
 * Measured on English documentation and texts in twenty other languages, with the tokenizers themselves, and
 * rounded up: the median English page is counted about a tenth too high, and a short text may still be
 * slightly above its count. The margin covers the rest, and each reply's own count corrects it. `again` is a
 * mark that repeats the one before it, `number` the start of a number after a space, and `gap` a space after
 * a space or at the start of a line. Only the letters of a word beyond a common word's length are counted.
 */
const RATES = {
  word: [1, 1.02, 1.02, 1.05],
  letter: [0.52, 0.56, 0.42, 0.5],
  capitals: [0.75, 1.1, 0.7, 1.2],
  capital: [0.25, 0.25, 0.25, 0.25],
  number: [0.9, 0.2, 1.1, 1.05],
  digit: [1.1, 1.1, 1.15, 1.1],
  gap: [0.3, 0.45, 0.3, 0.4],
  space: [0.07, 0.07, 0.6, 0.13],
  line: [0.15, 0.45, 0.7, 0.9],
  tab: [1, 1.2, 1.3, 1.5],
  mark: [0.55, 0.95, 0.86, 0.96],
  again: [0.16, 0.17, 0.16, 0.2],
  accent: [1.4, 3.9, 0.9, 2.8],
  greek: [1.1, 1.45, 0.5, 1.35],
  cyrillic: [0.55, 1.35, 0.38, 0.55],
  hebrew: [1.3, 1.6, 0.65, 1.4],
  arabic: [0.65, 1.45, 0.48, 1.3],
  indic: [1.6, 2.8, 0.42, 1.6],
  thai: [0.75, 2.2, 0.47, 1.3],
  hangul: [0.8, 3, 0.7, 2.2],
  kana: [0.75, 2, 0.55, 1.4],
  han: [1, 2.5, 0.85, 1.75],
  sign: [1.6, 1.9, 1, 1.9],
  astral: [1.2, 1.8, 1, 1.9],
  other: [3, 3, 3, 3],
} satisfies Record<string, readonly [number, number, number, number]>;

/** The kinds of characters that tokenizers distinguish. */
type Kind = keyof typeof RATES;

const isKind = (name: string): name is Kind => Object.hasOwn(RATES, name);

/** Where each kind of character begins, in hexadecimal; it ends where the next one begins. */
const BEGINS = `
  00 other, 09 tab, 0a line, 0b other, 0d line, 0e other, 20 space, 21 mark, 30 digit, 3a mark,
  41 capital, 5b mark, 61 letter, 7b mark, 7f other, a0 sign, c0 accent, 250 other, 300 accent,
  370 greek, 400 cyrillic, 530 other, 590 hebrew, 600 arabic, 700 other, 750 arabic, 780 other,
  900 indic, e00 thai, e80 other, 1100 hangul, 1200 other, 1e00 accent, 1f00 greek, 2000 sign,
  2c00 other, 3000 sign, 3040 kana, 3100 other, 3130 hangul, 3190 other, 31f0 kana, 3200 other,
  3400 han, a000 other, ac00 hangul, d7b0 other, d800 astral, e000 other, f900 han, fb00 other,
  ff00 sign, ff66 kana, ffa0 hangul, ffe0 other`
  .split(",")
  .map((entry) => entry.trim().split(" "))
  .map(([at = "", kind = ""]) => ({ at: Number.parseInt(at, 16), kind: isKind(kind) ? kind : "other" }));

/** A lookup table, because most text is ASCII. */
const ASCII_KINDS = Array.from({ length: 0x80 }, (_, unit) => kindIn(BEGINS, unit));

/** Common words up to this length are one token. */
const COMMON_LETTERS = 6;
const COMMON_CAPITALS = 3;

/** Counts for the models of a family, slightly too high; for an unknown one, as high as for any. */
export function counterOf(family: TokenFamily): CountTokens {
  if (family === "unknown") return tokensAtMost;
  const column = COLUMNS[family];
  return (text) => countTokens(text, (kind) => RATES[kind][column]);
}

type RateOf = (kind: Kind) => number;

/**
 * Counts with these rates. A text never has fewer tokens than its beginning, and two texts together have at
 * most a token or two more than their sum.
 */
function countTokens(text: string, rateOf: RateOf): number {
  let tokens = 0;
  let before: Kind = "line";
  let unitBefore = -1;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const kind = kindOf(unit);
    // An accent neither ends a word nor lengthens it: it has its own rate.
    if (kind === "accent") {
      tokens += rateOf("accent");
      continue;
    }
    const goesOn = kind === before || (kind === "letter" && before === "capital" && run === 1);
    run = goesOn ? run + 1 : 1;
    tokens += costOf(rateOf, kind, before, run, unit === unitBefore);
    before = kind;
    unitBefore = unit;
  }
  return Math.ceil(tokens);
}

/** The cost of the run-th character in a row, after a character of another kind or of the same. */
function costOf(rateOf: RateOf, kind: Kind, before: Kind, run: number, isSame: boolean): number {
  switch (kind) {
    case "letter":
      if (run === 1) return rateOf("word");
      return run > COMMON_LETTERS ? rateOf("letter") : 0;
    case "capital":
      if (run === 1) return rateOf("word");
      if (run === 2) return rateOf("capitals");
      return run > COMMON_CAPITALS ? rateOf("capital") : 0;
    case "digit":
      return before === "space" ? rateOf("digit") + rateOf("number") : rateOf("digit");
    case "space":
      // The space before a word belongs to it.
      if (run === 1) return before === "line" || before === "tab" ? rateOf("gap") : 0;
      return run === 2 && before === "space" ? rateOf("gap") + rateOf("space") : rateOf("space");
    case "mark":
    case "sign":
      return isSame ? rateOf("again") : rateOf(kind);
    default:
      return rateOf(kind);
  }
}

/** The kind of one UTF-16 unit, regardless of its neighbours. */
const kindOf = (unit: number): Kind => ASCII_KINDS[unit] ?? kindIn(BEGINS, unit);

function kindIn(begins: typeof BEGINS, unit: number): Kind {
  let low = 0;
  let high = begins.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((begins[middle]?.at ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return begins[low]?.kind ?? "other";
}

/**
 * Tokenizers that cut alike. `bpe-large` has a vocabulary of 100,000 pieces and more (Llama 3, Qwen,
 * gpt-oss), `bpe-small` about 50,000 (GPT-2, SmolLM, StarCoder); `gemma` is the large SentencePiece
 * vocabulary of Google's models, and `sentencepiece` the small one of Llama 2 and Mistral.
 */
export const TOKEN_FAMILIES = ["bpe-large", "bpe-small", "gemma", "sentencepiece", "unknown"] as const;

export type TokenFamily = (typeof TOKEN_FAMILIES)[number];

/** The pre-tokenizers of `gpt2` tokenizers with a small vocabulary, as model descriptions name them. */
const SMALL_BPE = new Set(
  `default gpt-2 gpt2 mpt olmo phi-2 smollm codeshell exaone roberta-bpe starcoder refact command-r-code falcon jais
  deepseek-coder granite bloom poro-chat`.split(/\s+/),
);
const LARGE_BPE =
  /^(llama-?bpe|llama3|llama-v3|llama4|qwen2|qwen35|gpt-4o|gpt4o|tekken|dbrx|smaug-bpe|deepseek-(llm|v3|r1-qwen)|chatglm-bpe|glm4|kimi-k2|command-r|stablelm2|minerva-7b|superbpe|pixtral|hunyuan|seed-coder|granite-embedding)$/;

/** The tokenizer family that a model's description names. */
export function tokenFamilyOf({ model_info: info }: ShownModel): TokenFamily {
  const kind = info?.["tokenizer.ggml.model"];
  const architecture = info?.["general.architecture"];
  const before = info?.["tokenizer.ggml.pre"];
  if (kind === "llama") {
    return typeof architecture === "string" && architecture.startsWith("gemma") ? "gemma" : "sentencepiece";
  }
  if (kind !== "gpt2" || typeof before !== "string") return "unknown";
  if (LARGE_BPE.test(before)) return "bpe-large";
  return SMALL_BPE.has(before) ? "bpe-small" : "unknown";
}

// Runs of one kind of character, as tokenizers see them: words, numbers, other scripts, single marks. A space
// belongs to the word after it, but not to a number.
const RUN =
  /[A-Z]?[a-z]+|[A-Z]+| ?[0-9]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+|\s+|[^\sA-Za-z0-9]/gu;

/** A text with more characters than this for each token is counted as too many, whatever it contains. */
export const CHARACTERS_PER_TOKEN_MAX = 5;

/**
 * An upper bound for a text's tokens with an unknown tokenizer. Meant to be too high: Ollama truncates a long
 * prompt silently.
 */
export const tokensAtMost: CountTokens = (text) => {
  let tokens = 0;
  for (const run of text.match(RUN) ?? []) tokens += tokensOfRun(run);
  return Math.ceil(tokens);
};

function tokensOfRun(run: string): number {
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / 4);
  if (/^ ?[0-9]/.test(run)) return run.length;
  if (/^\s/.test(run)) return run === " " ? 0.1 : Math.ceil(run.length / 2);
  if (run.charCodeAt(0) < 0x80) return 1;
  let tokens = 0;
  for (const character of run) tokens += tokensOfCharacter(character.codePointAt(0) ?? 0);
  return Math.ceil(tokens);
}

/** Small vocabularies split other scripts into bytes, of which a character has two, three or four. */
function tokensOfCharacter(codePoint: number): number {
  if (codePoint < 0x800) return 1.5;
  return codePoint < 0x10000 ? 3 : 4;
}
