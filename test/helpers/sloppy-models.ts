import { createCitationWriter } from "../../src/answering/answer/citations/citations.ts";
import { createReplyText } from "../../src/answering/answer/reply/reply.ts";
import { createToldText } from "../../src/answering/answer/reply/told-text.ts";
import { createListMender } from "../../src/answering/answer/write/mended-lists.ts";
import { PASSAGES, type randomFrom } from "./hostile-answers.ts";

type Random = ReturnType<typeof randomFrom>;
export const pick = <T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[random(from.length)] ?? from[0];
const chance = (random: Random, oneIn: number) => random(oneIn) === 0;

/** How a family of models writes what is no answer, and cites. */
interface Family {
  begins: readonly [string, ...string[]];
  ends: readonly [string, ...string[]];
  asks: readonly [string, ...string[]];
  thinks: readonly [readonly [string, string], ...(readonly [string, string])[]];
  cites: readonly [(number: number) => string, ...((number: number) => string)[]];
  calls: readonly [string, ...string[]];
}

const bracket = (number: number) => `[${number}]`;
const CALL = '{"name": "search", "arguments": {"query": "invented0x"}}';

/** By what their chat templates have, and by what they are known to write. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  llama: {
    begins: ["<|start_header_id|>assistant<|end_header_id|>\n\n", "<|begin_of_text|>", ""],
    ends: ["<|eot_id|>", "<|end_of_text|>", "</s>"],
    asks: ["<|start_header_id|>user<|end_header_id|>\n\n", "\n[INST] ", "\n\nUser: "],
    thinks: [["<thinking>", "</thinking>"]],
    cites: [bracket, (number) => `[Passage ${number}]`, (number) => `(passage ${number})`],
    calls: [`<|python_tag|>${CALL}`, '<function=search>{"query": "invented0x"}</function>'],
  },
  qwen: {
    begins: ["<|im_start|>assistant\n", ""],
    ends: ["<|im_end|>", "<|endoftext|>"],
    asks: ["\n<|im_start|>user\n", "\nuser\n", "\n\nHuman: "],
    thinks: [["<think>\n", "\n</think>\n\n"]],
    cites: [bracket, (number) => `[citation:${number}]`, (number) => `【${number}】`],
    calls: [
      `<tool_call>\n${CALL}\n</tool_call>`,
      "<tool_call>\n<function=search>\n<parameter=query>\ninvented0x\n</parameter>\n</function>\n</tool_call>",
    ],
  },
  gemma: {
    begins: ["<start_of_turn>model\n", "<bos>", ""],
    ends: ["<end_of_turn>", "<eos>"],
    asks: ["\n<start_of_turn>user\n"],
    thinks: [["<thought>", "</thought>"]],
    cites: [bracket, (number) => `[cite: ${number}]`, (number) => `[${number}, ${number}]`],
    calls: [`\`\`\`json\n${CALL}\n\`\`\``, `\`\`\`tool_code\n${CALL}\n\`\`\``],
  },
  mistral: {
    begins: ["<s>", "[/INST] ", ""],
    ends: ["</s>"],
    asks: ["<s>[INST] ", "\n\n[INST] "],
    thinks: [["[THINK]", "[/THINK]"]],
    cites: [bracket, (number) => `(Source ${number})`, (number) => `(${number})`],
    calls: [`[TOOL_CALLS] [${CALL}]`],
  },
  phi: {
    begins: ["<|assistant|>\n", ""],
    ends: ["<|end|>", "<|endoftext|>"],
    asks: ["<|user|>\n", "\n\n### User:\n", "\n\n### Instruction:\n"],
    thinks: [["<think>", "</think>"]],
    cites: [bracket, (number) => `[^${number}]`, (number) => `[source ${number}]`],
    calls: [`<|tool_call|>${CALL}<|/tool_call|>`],
  },
  deepseek: {
    begins: ["<｜begin▁of▁sentence｜>", "<｜Assistant｜>", ""],
    ends: ["<｜end▁of▁sentence｜>"],
    asks: ["<｜User｜>"],
    thinks: [["<think>\n", "\n</think>\n\n"]],
    cites: [(number) => `[citation:${number}]`, bracket, (number) => `[citation: ${number}, ${number}]`],
    calls: [`<tool_calls>${CALL}</tool_calls>`],
  },
  granite: {
    begins: ["<|start_of_role|>assistant<|end_of_role|>", ""],
    ends: ["<|end_of_text|>"],
    asks: ["\n<|start_of_role|>user<|end_of_role|>"],
    thinks: [["<think>", "</think>"]],
    cites: [
      bracket,
      (number) => `<co>${number}</co>`,
      (number) => `<|start_of_cite|>{"document_id": "${number}"}<|end_of_cite|>`,
    ],
    calls: [`<|tool_call|>[${CALL}]`, `<tool_call>[${CALL}]</tool_call>`],
  },
  commandR: {
    begins: ["<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>", "<BOS_TOKEN>", ""],
    ends: ["<|END_OF_TURN_TOKEN|>", "<EOS_TOKEN>"],
    asks: ["<|START_OF_TURN_TOKEN|><|USER_TOKEN|>"],
    thinks: [["<|START_THINKING|>", "<|END_THINKING|>"]],
    cites: [bracket, (number) => `[doc${number}]`, (number) => `[${number}-${number}]`],
    calls: ["Thought: I look.\nAction: search\nAction Input: invented0x\nObservation: none\nFinal Answer: "],
  },
};
const NAMES = Object.keys(FAMILIES);

/** An answer as a model writes it, and what its reader must get of it. */
export interface SloppyAnswer {
  family: string;
  written: string;
  /** Its words in order. */
  words: string[];
  /** Its code, with the indent at which it stands. */
  code: string[];
  cited: number[];
}

interface Writing {
  random: Random;
  family: Family;
  cite: (number: number) => string;
  words: number;
  code: string[];
  cited: Set<number>;
}

const STEMS = [
  "keep",
  "run",
  "file",
  "port",
  "a",
  "server",
  "I",
  "User",
  "let",
  "漢字",
  "über",
  "don’t",
] as const;
const CODES = [
  "acme up --port 8080",
  "a[1] = b[2](1).",
  "# [citation:1] (passage 2) [^3]",
  "User: root\nPassword: x",
  "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant",
  'stop: "</s>"',
  "if x:\n    y = z[1]\n\n    w()",
  '{"name": "acme", "type": "module"}',
  "echo https://x.example <b> & `id`",
  "- name: a\n  run: b",
] as const;

/** A word that is like no other of its answer. */
const word = (writing: Writing): string => `${pick(writing.random, STEMS)}${writing.words++}x`;
const WORD = /[\p{L}’]+\d+x/gu;

function citation(writing: Writing): string {
  const { random, cite, cited } = writing;
  const number = chance(random, 8) ? 9 : 1 + random(5);
  // A number in parentheses that leads nowhere may be a value.
  const shown = number === 9 && cite(1) === "(1)" ? 1 : number;
  if (shown !== 9) cited.add(shown);
  return cite(shown);
}

function sentence(writing: Writing): string {
  const { random } = writing;
  const said = Array.from({ length: 2 + random(6) }, () =>
    chance(random, 7) ? `\`x[${random(5)}] (1)\` ${word(writing)}` : word(writing),
  );
  // Beside an enumeration, a number in parentheses is one of it.
  if (chance(random, 9) && writing.cite(1) !== "(1)") said.splice(1, 0, `(1) ${word(writing)}, (2)`);
  return `${said.join(" ")}${chance(random, 2) ? ` ${citation(writing)}` : ""}.`;
}

const paragraph = (writing: Writing): string =>
  Array.from({ length: 1 + writing.random(3) }, () => sentence(writing)).join(" ");

const indented = (code: string, columns: number) => code.replace(/^(?=.)/gm, " ".repeat(columns));

function codeBlock(writing: Writing): string {
  const code = pick(writing.random, CODES);
  writing.code.push(code);
  return `\`\`\`${pick(writing.random, ["sh", "", "yaml"])}\n${code}\n\`\`\``;
}

function list(writing: Writing): string {
  const { random } = writing;
  const mark = chance(random, 2) ? "-" : "1.";
  const column = mark.length + 1;
  const items = Array.from({ length: 1 + random(3) }, (_, index) => {
    const head = mark === "-" ? "-" : `${index + 1}.`;
    const said = `${head} ${sentence(writing)}`;
    if (chance(random, 2)) return said;
    const code = pick(random, CODES);
    const shown = indented(code, column);
    if (chance(random, 2)) {
      writing.code.push(shown);
      return `${said}\n${indented(`\`\`\`sh\n${code}\n\`\`\``, column)}`;
    }
    // What begins like a list is read as one.
    const own = code.startsWith("- ") ? CODES[0] : code;
    writing.code.push(indented(own, column));
    return `${said}\n\n${indented(own, column + 4)}\n`;
  });
  return items.join("\n");
}

function margin(writing: Writing): string {
  const code = pick(writing.random, [CODES[0], CODES[1], CODES[6]]);
  writing.code.push(code);
  return `${sentence(writing)}\n\n${indented(code, 4)}`;
}

/** An answer in the habits of one family. */
export function sloppyAnswer(random: Random): SloppyAnswer {
  const name = NAMES[random(NAMES.length)] ?? "llama";
  const family = FAMILIES[name] ?? FAMILIES["llama"];
  if (family === undefined) throw new Error("There are no families.");
  const writing: Writing = {
    random,
    family,
    cite: pick(random, family.cites),
    words: 0,
    code: [],
    cited: new Set(),
  };
  const first = paragraph(writing);
  const others = Array.from({ length: random(5) }, () =>
    pick(random, [paragraph, paragraph, list, codeBlock, margin])(writing),
  );
  const body = [first, ...others, ...(chance(random, 2) ? [paragraph(writing)] : [])].join("\n\n");
  const isWrapped = chance(random, 10);
  const answer = isWrapped ? `\`\`\`\`markdown\n${body}\n\`\`\`\`` : body;
  const [open, close] = pick(random, family.thinks);
  const thought = chance(random, 4) ? `${open}thought0x <|im_end|> [1] User: x${close}` : "";
  const call = chance(random, 8) ? pick(random, family.calls) : "";
  // A call that nothing closes goes on to the end.
  const isClosed = /<\/(?:function|tool_calls?)>$|\|>$|Answer: $/.test(call) && !isWrapped;
  const before = isClosed ? `${call}\n` : "";
  const turn = `${pick(random, family.asks)}invented1x?\nAssistant: invented2x.`;
  const after = pick(random, [
    "",
    pick(random, family.ends),
    `${pick(random, family.ends)}${turn}`,
    /^\s+(?:user)\n/.test(turn) ? "" : turn,
  ]);
  const { code, cited } = writing;
  return {
    family: name,
    written: pick(random, family.begins) + thought + before + answer + after,
    words: body.match(WORD) ?? [],
    code,
    cited: [...cited].toSorted(),
  };
}

/** What readers get of a model's text that comes in these pieces. */
export function readSloppy(pieces: readonly string[]): { text: string; cited: number[] } {
  const reply = createReplyText();
  const told = createToldText();
  const lists = createListMender();
  const citations = createCitationWriter(PASSAGES);
  const write = (text: string) => citations.write(lists.write(text));
  let text = "";
  for (const piece of pieces)
    for (const delta of reply.write(piece))
      if (delta.type === "text-delta") text += write(told.write(delta.text));
  for (const delta of reply.end()) if (delta.type === "text-delta") text += write(told.write(delta.text));
  text += write(told.end()) + citations.write(lists.end()) + citations.end();
  return { text, cited: citations.cited().toSorted() };
}

const LINK = /\[\[\d+\]\]\([^()\s]*\)/g;
const CODE = /^([ \t]*)```[^\n]*\n[\s\S]*?\n\1```[ \t]*$|`[^`\n]*`/gm;
const RAW =
  /<[|｜/a-z]|\[\/?INST|\[(?:\^|citation|cite|passage|source|doc)|\[\d|[【】]|\((?:passage|source) \d|tool_call|invented|thought|Action|markdown/i;

/** What is wrong with what a reader gets of an answer; undefined where all is well. */
export function faultIn(
  { words, code, cited }: SloppyAnswer,
  got: { text: string; cited: number[] },
): string | undefined {
  const missing = code.find((each) => !got.text.includes(`\n${each}\n`));
  if (missing !== undefined) return `code is not as it was: ${JSON.stringify(missing)}`;
  const prose = got.text.replace(CODE, " ").replace(LINK, " ");
  const read = prose.match(WORD) ?? [];
  if (read.join(" ") !== words.join(" ")) return `words are not as they were: ${read.join(" ")}`;
  const raw = RAW.exec(prose)?.[0];
  if (raw !== undefined) return `raw: ${raw}`;
  return got.cited.join() === cited.join()
    ? undefined
    : `cited ${got.cited.join()} instead of ${cited.join()}`;
}

/** The text in pieces of up to `lengthMax` characters. */
export function inPieces(text: string, random: Random, lengthMax: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random(lengthMax);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const PIECES_MAX = [2, 8, 30, 100] as const;

/** Reads so many answers, each whole and in pieces; gives what is wrong with the first that is. */
export function firstFault(random: Random, rounds: number): Record<string, unknown> | undefined {
  for (let round = 0; round < rounds; round++) {
    const answer = sloppyAnswer(random);
    const got = readSloppy([answer.written]);
    const fault = faultIn(answer, got);
    if (fault !== undefined) return { round, fault, ...answer, text: got.text };
    const pieces = inPieces(answer.written, random, pick(random, PIECES_MAX));
    const cut = readSloppy(pieces);
    if (cut.text !== got.text || cut.cited.join() !== got.cited.join())
      return { round, fault: "differs by its pieces", pieces, text: got.text, cut: cut.text };
  }
  return undefined;
}
