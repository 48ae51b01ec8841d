import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DOCUMENT_KINDS, type DocumentKind, readDocument } from "../../src/documents/documents.ts";
import { plainText } from "../../src/markdown/plain-text.ts";

/**
 * Compares what Docent reads of documents with another reader's text.
 *
 *   bun scripts/documents/compare-text.ts <kind> <folder of documents> [<folder of texts>]
 *
 * The text of `a.rtf` is `a.rtf.txt`. Each document is read in a process of its own, with a limit of time.
 */
const TIME_LIMIT_MS = 20_000;
/** Order is compared over so many words: it takes time that grows with their square. */
const ORDERED_WORDS_MAX = 3_000;

interface Outcome {
  file: string;
  milliseconds: number;
  megabytes: number;
  refused?: string;
  crashed?: string;
  faults: string[];
  recall?: number;
  precision?: number;
  order?: number;
}

interface Reading {
  text: string;
  faults: string[];
  refused?: string;
}

const wordsOf = (text: string) =>
  Array.from(
    text
      .normalize("NFKC")
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}\p{M}]+/gu),
    ([word]) => word,
  );

async function readOne(kind: DocumentKind, file: string): Promise<void> {
  const read = await readDocument(await Bun.file(file).bytes(), kind);
  const reading: Reading =
    "unreadable" in read
      ? { text: "", faults: [], refused: read.unreadable }
      : { text: `${read.data["title"] ?? ""}\n${plainText(read.markdown)}`, faults: read.faults };
  await Bun.write(Bun.stdout, JSON.stringify(reading));
}

async function measure(kind: DocumentKind, file: string, texts: string | undefined): Promise<Outcome> {
  const start = performance.now();
  const child = Bun.spawn([process.execPath, import.meta.path, "--read", kind, file], {
    stdout: "pipe",
    stderr: "pipe",
    timeout: TIME_LIMIT_MS,
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const outcome = {
    file: basename(file),
    milliseconds: Math.round(performance.now() - start),
    megabytes: Math.round((child.resourceUsage()?.maxRSS ?? 0) / 1e6),
    faults: [],
  };
  if (child.signalCode !== null) return { ...outcome, crashed: `killed by ${child.signalCode}` };
  if (child.exitCode !== 0) return { ...outcome, crashed: errors.slice(-300) };
  const { text, faults, refused }: Reading = JSON.parse(out);
  const reference = texts === undefined ? undefined : Bun.file(join(texts, `${basename(file)}.txt`));
  const compared =
    reference !== undefined && (await reference.exists()) ? compare(text, await reference.text()) : {};
  return { ...outcome, faults, ...(refused === undefined ? {} : { refused }), ...compared };
}

function compare(text: string, reference: string): Pick<Outcome, "recall" | "precision" | "order"> {
  const ours = wordsOf(text);
  const theirs = wordsOf(reference);
  const left = new Map<string, number>();
  for (const word of theirs) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of ours) {
    const number = left.get(word) ?? 0;
    if (number > 0) common += 1;
    left.set(word, number - 1);
  }
  const share = (whole: number) => (whole === 0 ? 1 : common / whole);
  return { recall: share(theirs.length), precision: share(ours.length), order: orderKept(ours, theirs) };
}

/** The longest common subsequence, as a share of the other's words. */
function orderKept(ours: string[], theirs: string[]): number {
  const a = ours.slice(0, ORDERED_WORDS_MAX);
  const b = theirs.slice(0, ORDERED_WORDS_MAX);
  if (b.length === 0) return 1;
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let at = 1; at <= b.length; at++)
      next[at] = word === b[at - 1] ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    row = next;
  }
  return (row[b.length] ?? 0) / b.length;
}

const shown = (share: number | undefined) => (share === undefined ? "" : share.toFixed(3));

function median(values: number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function print(outcomes: Outcome[]): void {
  const lines = outcomes.map(({ file, recall, precision, order, milliseconds, megabytes, ...rest }) =>
    [
      file.slice(0, 50).padEnd(50),
      ...[recall, precision, order].map((share) => shown(share).padStart(6)),
      `${milliseconds} ms`.padStart(9),
      `${megabytes} MB`.padStart(7),
      rest.crashed === undefined ? (rest.refused ?? rest.faults.join("; ")) : `CRASHED ${rest.crashed}`,
    ].join(" "),
  );
  const known = (of: (outcome: Outcome) => number | undefined) =>
    outcomes
      .filter(({ refused }) => refused === undefined)
      .map(of)
      .filter((value) => value !== undefined);
  const recalls = known(({ recall }) => recall);
  const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
  const whole = count(
    (one) => one.crashed === undefined && one.refused === undefined && one.faults.length === 0,
  );
  lines.push(
    "",
    `${outcomes.length} files: ${whole} whole, ${count(({ faults }) => faults.length > 0)} in part, ` +
      `${count(({ refused }) => refused !== undefined)} refused, ${count(({ crashed }) => crashed !== undefined)} crashed`,
    `${recalls.length} compared; medians: recall ${shown(median(recalls))}, ` +
      `precision ${shown(median(known(({ precision }) => precision)))}, order ${shown(median(known(({ order }) => order)))}; ` +
      `recall below .9: ${recalls.filter((value) => value < 0.9).length}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}

const [first, second = "", third] = process.argv.slice(2);
const kindOf = (name: string | undefined) => {
  const kind = DOCUMENT_KINDS.find((known) => known === name);
  if (kind === undefined) throw new Error(`give a kind: ${DOCUMENT_KINDS.join(", ")}`);
  return kind;
};
if (first === "--read") await readOne(kindOf(second), third ?? "");
else {
  const kind = kindOf(first);
  const outcomes: Outcome[] = [];
  for (const file of readdirSync(second).sort())
    outcomes.push(await measure(kind, join(second, file), third));
  print(outcomes);
}
