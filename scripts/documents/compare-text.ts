/*
 * Compares what Docent reads of documents with the text that another program reads of them:
 *
 *   bun scripts/documents/compare-text.ts <folder of documents> <folder of texts> [below]
 *
 * The text of `report.docx` is `report.txt`. Each document is read in a child process with a limit of time. Prints a line
 * for each that keeps less than `below` (.9) of the words or their order, and what was read and refused.
 */
import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { DOCUMENT_KINDS, type DocumentKind, readDocument } from "../../src/documents/documents.ts";

const LIMIT_MS = 60_000;
const ORDER_WORDS_MAX = 4_000;
const KIND_OF: Record<string, DocumentKind> = {
  docm: "docx",
  dotx: "docx",
  dotm: "docx",
  pptm: "pptx",
  potx: "pptx",
  ppsx: "pptx",
  ppsm: "pptx",
  xlsm: "xlsx",
  xltx: "xlsx",
  ott: "odt",
  otp: "odp",
  ots: "ods",
};

interface Reading {
  markdown?: string;
  unreadable?: string;
  faults?: string[];
  milliseconds: number;
  peakMegabytes: number;
}

interface Comparison extends Partial<Reading> {
  name: string;
  /** Why there is no reading: it ended by itself, or had to be ended. */
  failure?: string;
  recall?: number;
  precision?: number;
  order?: number;
  words?: number;
}

function kindOf(file: string): DocumentKind | undefined {
  const extension = extname(file).slice(1).toLowerCase();
  return KIND_OF[extension] ?? DOCUMENT_KINDS.find((kind) => kind === extension);
}

async function readHere(file: string): Promise<Reading> {
  const kind = kindOf(file);
  if (kind === undefined) throw new Error(`${file} is no document`);
  const content = await Bun.file(file).bytes();
  const start = performance.now();
  const read = await readDocument(content, kind);
  const milliseconds = Math.round(performance.now() - start);
  return { ...read, milliseconds, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_000) };
}

async function readInChild(file: string): Promise<Reading | { failure: string }> {
  const child = Bun.spawn([process.execPath, import.meta.path, "--read", file], {
    timeout: LIMIT_MS,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (child.signalCode !== null) return { failure: `hung, or was ended by ${child.signalCode}` };
  if (child.exitCode !== 0) return { failure: `crashed: ${errors.slice(-600)}` };
  return JSON.parse(out);
}

/** The words of a text; of Markdown without its marks. */
export const wordsOf = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

export const plainMarkdown = (markdown: string) =>
  markdown
    .replace(/<a id="[^"]*"><\/a>/g, "")
    .replace(/ \{#[^{}\s]+\}$/gm, "")
    .replace(/\]\((?:[^()\s]|\([^()\s]*\))*\)/g, "]")
    .replace(/\[\^[\w-]+\](?!:)/g, " ")
    .replace(/^\[\^[\w-]+\]:/gm, " ")
    .replace(/(?<!\\)\*+/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "");

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function shared(a: readonly string[], b: readonly string[]): number {
  const counts = counted(a);
  let common = 0;
  for (const [word, count] of counted(b)) common += Math.min(count, counts.get(word) ?? 0);
  return common;
}

/** The share of one text's words that stand in the other in the same order. */
function inOrder(a: readonly string[], b: readonly string[]): number {
  let above = new Uint16Array(b.length + 1);
  for (const word of a) {
    const row = new Uint16Array(b.length + 1);
    for (let at = 1; at <= b.length; at++)
      row[at] = word === b[at - 1] ? (above[at - 1] ?? 0) + 1 : Math.max(above[at] ?? 0, row[at - 1] ?? 0);
    above = row;
  }
  return (above.at(-1) ?? 0) / Math.max(1, Math.min(a.length, b.length));
}

async function compare(file: string, texts: string): Promise<Comparison> {
  const name = basename(file);
  const read = await readInChild(file);
  if (!("markdown" in read) || read.markdown === undefined) return { name, ...read };
  const text = Bun.file(join(texts, `${basename(file, extname(file))}.txt`));
  if (!(await text.exists())) return { name, ...read };
  const theirs = wordsOf(await text.text());
  const ours = wordsOf(plainMarkdown(read.markdown));
  const common = shared(theirs, ours);
  return {
    name,
    ...read,
    words: theirs.length,
    recall: theirs.length === 0 ? 1 : common / theirs.length,
    precision: ours.length === 0 ? 1 : common / ours.length,
    order: inOrder(theirs.slice(0, ORDER_WORDS_MAX), ours.slice(0, ORDER_WORDS_MAX)),
  };
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const shown = (share: number | undefined) => (share ?? 0).toFixed(3);

async function main(folder: string, texts: string, below: number): Promise<string> {
  const lines: string[] = [];
  const all: Comparison[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (kindOf(name) === undefined) continue;
    const result = await compare(join(folder, name), texts);
    all.push(result);
    const {
      failure,
      unreadable,
      recall,
      precision,
      order,
      words,
      faults = [],
      milliseconds,
      peakMegabytes,
    } = result;
    if (failure !== undefined) lines.push(`FAILED  ${name}: ${failure}`);
    else if (unreadable !== undefined) lines.push(`refused ${name}: ${unreadable}`);
    else if (faults.length > 0) lines.push(`in part ${name}: ${faults.join("; ")}`);
    if (recall !== undefined && Math.min(recall, order ?? 1) < below)
      lines.push(
        `low     ${name}: recall ${shown(recall)} precision ${shown(precision)} order ${shown(order)} of ${words} words`,
      );
    if ((milliseconds ?? 0) > 3_000 || (peakMegabytes ?? 0) > 500)
      lines.push(`costly  ${name}: ${milliseconds} ms, ${peakMegabytes} MB`);
  }
  const measured = all.filter(({ recall, words = 0 }) => recall !== undefined && words > 0);
  const of = (key: "recall" | "precision" | "order") => measured.map((each) => each[key] ?? 0);
  const count = (is: (each: Comparison) => boolean) => all.filter(is).length;
  return [
    ...lines,
    `${all.length} documents: ${count(({ markdown, faults }) => markdown !== undefined && faults?.length === 0)} read whole, ` +
      `${count(({ faults = [] }) => faults.length > 0)} in part, ${count(({ unreadable }) => unreadable !== undefined)} refused, ` +
      `${count(({ failure }) => failure !== undefined)} failed`,
    `${measured.length} compared: medians recall ${shown(median(of("recall")))} precision ${shown(median(of("precision")))} order ${shown(median(of("order")))}; ` +
      `below ${below}: recall ${of("recall").filter((share) => share < below).length}, precision ${of("precision").filter((share) => share < below).length}, order ${of("order").filter((share) => share < below).length}`,
    `slowest ${Math.max(...all.map(({ milliseconds = 0 }) => milliseconds))} ms, largest ${Math.max(...all.map(({ peakMegabytes = 0 }) => peakMegabytes))} MB`,
  ].join("\n");
}

const [first = "", second = "", third = "0.9"] = process.argv.slice(2);
if (import.meta.main)
  process.stdout.write(
    first === "--read"
      ? JSON.stringify(await readHere(second))
      : `${await main(first, second, Number(third))}\n`,
  );
