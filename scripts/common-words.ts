import { readHead, readVocabulary } from "../src/models/builtin/vector-table.ts";

// Writes src/finding/search/relevance/common-words.txt: the most frequent words of English, the most frequent first, which is the
// order in which the vocabulary of the built-in vectors has them, behind its single characters.

const WORDS = 5700;

const asset = new Uint8Array(await Bun.file("src/models/builtin/builtin.bin").arrayBuffer());
const head = readHead(asset);
const vocabulary = readVocabulary(head, asset.subarray(head.vocabularyAt)).split("\n");
const words = vocabulary.filter((entry) => /^[\p{L}\p{N}]{2,}$/u.test(entry));
await Bun.write("src/finding/search/relevance/common-words.txt", `${words.slice(0, WORDS).join("\n")}\n`);
