import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/measuring/eval/seeded-random.ts";
import { readHead, readVocabulary } from "../../../src/models/builtin/vector-table.ts";

/** A file to read. */
export interface BenchPage {
  path: string;
  markdown: string;
}

const EMBEDDER = join(import.meta.dir, "../../../src/models/builtin/builtin.bin");
const SEED = 4747;
const WORDS = 30_000;
const SECTIONS = [6, 14] as const;
const SECTION_WORDS = [60, 180] as const;
/** The most frequent words say nothing of what a question is about. */
const QUESTION_WORDS_FROM = 100;

type Random = () => number;

/**
 * Pages that look like documentation: sections with headings, code, identifiers, and English words in natural
 * frequencies (Zipf), so that they have vectors too. The same on every machine.
 */
export function* generatePages(count: number): Generator<BenchPage> {
  const random = seededRandom(SEED);
  const vocabulary = readWords();
  const word = () => vocabulary[zipf(random, vocabulary.length)] ?? "word";
  for (let number = 0; number < count; number++) {
    const sections = Array.from({ length: between(random, SECTIONS) }, () => makeSection(random, word));
    const title = capitalized(words(3, word));
    yield {
      path: `part-${number % 40}/page-${number}`,
      markdown: `# ${title}\n\n${words(30, word)}.\n\n${sections.join("\n")}`,
    };
  }
}

/** Questions in the words of the pages: a few common and a few rare ones, as people ask. */
export function generateQuestions(count: number): string[] {
  const vocabulary = readWords().slice(QUESTION_WORDS_FROM);
  const random = seededRandom(SEED + 1);
  const word = () => vocabulary[zipf(random, vocabulary.length)] ?? "word";
  return Array.from({ length: count }, () => `How do I ${words(between(random, [2, 6]), word)}?`);
}

function makeSection(random: Random, word: () => string): string {
  const left = between(random, SECTION_WORDS);
  const paragraphs = Array.from({ length: Math.ceil(left / 60) }, () => `${capitalized(words(60, word))}.`);
  const code =
    random() < 0.4
      ? `\n\n\`\`\`sh\n${word()} --${word()} ${word()}_${word()} E${between(random, [1000, 9999])}\n\`\`\``
      : "";
  return `## ${capitalized(words(4, word))}\n\n${paragraphs.join("\n\n")}${code}\n`;
}

/** The words that the builtin embedder knows, the most frequent ones first. */
function readWords(): string[] {
  const asset = readFileSync(EMBEDDER);
  const head = readHead(asset);
  const vocabulary = readVocabulary(head, asset.subarray(head.vocabularyAt)).split("\n");
  return vocabulary.filter((entry) => /^[a-z]{2,}$/.test(entry)).slice(0, WORDS);
}

/** Draws the rank of a word: the first ones far more often than the last ones. */
const zipf = (random: Random, size: number) => Math.floor(size ** random()) - 1;

const between = (random: Random, [least, most]: readonly [number, number]) =>
  least + Math.floor(random() * (most - least + 1));
const words = (count: number, word: () => string) => Array.from({ length: count }, word).join(" ");
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
