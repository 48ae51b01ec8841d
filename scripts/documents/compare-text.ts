import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { $ } from "bun";
import { DOCUMENT_KINDS, readDocument } from "../../src/reading/documents/documents.ts";
import { readReference } from "./compare/reference.ts";
import { type Score, scoreOf } from "./compare/score.ts";

/*
 * Compares what our readers read of real documents with what another program reads.
 *
 *   bun scripts/documents/compare-text.ts <folder> <kind> [--write <folder>] [--only <part of a name>] -- <command> [-- <command>]
 *
 * The command writes what the other reads: as text, or as a flat OpenDocument. {} stands for the file, {name} for its name
 * without its ending. A second command writes the same in the order in which the other program would have people read it:
 * `pdftotext -layout` writes columns line by line across the page, and `pdftotext` one after the other.
 *
 *   bun scripts/documents/compare-text.ts /tmp/files pdf -- pdftotext -layout -cropbox {} - -- pdftotext -cropbox {} -
 *   soffice --headless --convert-to fodt --outdir /tmp/flat /tmp/files/*.docx
 *   bun scripts/documents/compare-text.ts /tmp/files docx -- cat /tmp/flat/{name}.fodt
 *
 * Each file is read in a process of its own. What is compared is in compare/score.ts.
 */

const TIMEOUT_MS = 120_000;
const NEAR = 0.9;

interface Read {
  markdown?: string;
  unreadable?: string;
  faults?: string[];
  crashed?: string;
  ms: number;
  /** What of the processor's time it took, which does not depend on what else the machine does. */
  cpuMs: number;
  peakMb: number;
}

async function child(file: string, kindName: string): Promise<void> {
  const kind = DOCUMENT_KINDS.find((each) => each === kindName);
  if (kind === undefined) throw new Error(`${kindName} is no kind of document`);
  const started = performance.now();
  const read = await readDocument(await Bun.file(file).bytes(), kind);
  const ms = Math.round(performance.now() - started);
  const { user, system } = process.cpuUsage();
  const cpuMs = Math.round((user + system) / 1_000);
  const peakMb = Math.round(peakBytes() / 1_000_000);
  await Bun.write(Bun.stdout, JSON.stringify({ ...read, ms, cpuMs, peakMb }));
}

/** The most memory that this process has held. On Linux, maxRSS counts what the process that started it held, too. */
function peakBytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes) * 1_024;
}

async function ours(file: string, kind: string): Promise<Read> {
  const started = performance.now();
  const run = Bun.spawn([process.execPath, import.meta.path, "--child", file, kind], {
    stdout: "pipe",
    stderr: "pipe",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const [out, errors] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ]);
  const ms = Math.round(performance.now() - started);
  if (run.exitCode !== 0)
    return {
      crashed: ms >= TIMEOUT_MS ? "hangs" : `crashes: ${errors.slice(-300)}`,
      ms,
      cpuMs: 0,
      peakMb: 0,
    };
  if (!out.startsWith("{"))
    return { crashed: `writes to its output: ${out.slice(0, 200)}`, ms, cpuMs: 0, peakMb: 0 };
  return JSON.parse(out);
}

async function theirs(command: readonly string[], file: string): Promise<string | undefined> {
  const run = Bun.spawn(
    command.map((word) => word.replace("{}", file).replace("{name}", basename(file, extname(file)))),
    { stdout: "pipe", stderr: "ignore", timeout: TIMEOUT_MS, killSignal: "SIGKILL" },
  );
  const [text] = await Promise.all([new Response(run.stdout).text(), run.exited]);
  return run.exitCode === 0 || text.trim() !== "" ? text : undefined;
}

interface Compared extends Score {
  file: string;
  read: Read;
  /** The order, as the other program would have people read it; the better one, where it writes two. */
  readingOrder: number;
}

/** What the other program is started with: for its words, and for the order in which it would have people read them. */
interface Commands {
  words: readonly string[];
  reading: readonly string[] | undefined;
}

async function compareFile(file: string, kind: string, { words, reading }: Commands): Promise<Compared> {
  const [read, other] = [await ours(file, kind), await theirs(words, file)];
  const leftOut = meaninglessPages(read.faults ?? []);
  const score = scoreOf(read.markdown ?? "", readReference(other ?? "", leftOut));
  const inOrder = reading === undefined ? undefined : await theirs(reading, file);
  const second =
    inOrder === undefined ? score : scoreOf(read.markdown ?? "", readReference(inOrder, leftOut));
  return { file, read, ...score, readingOrder: Math.max(score.order, second.order) };
}

function commandsOf(argv: readonly string[]): Commands {
  const written = argv.slice(argv.indexOf("--") + 1);
  const next = written.indexOf("--");
  if (next === -1) return { words: written, reading: undefined };
  return { words: written.slice(0, next), reading: written.slice(next + 1) };
}

/** The pages of which ours says that their fonts do not tell the letters: what others read of them is none of it words. */
function meaninglessPages(faults: readonly string[]): Set<number> {
  const pages = new Set<number>();
  for (const fault of faults) {
    const [, list = ""] = /^has letters without a meaning on pages? ([\d, and-]+)/.exec(fault) ?? [];
    for (const [, from, to] of list.matchAll(/(\d+)(?:-(\d+))?/g))
      for (let page = Number(from); page <= Number(to ?? from); page += 1) pages.add(page);
  }
  return pages;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const share = (value: number) => value.toFixed(3);
const report = (line: string) => process.stdout.write(`${line}\n`);

function reportOutcomes(compared: readonly Compared[]): void {
  const counts = new Map<string, number>();
  for (const { read } of compared) {
    const outcome =
      read.crashed ??
      (read.unreadable && `refused: ${read.unreadable}`) ??
      (read.faults?.length ? "read in part" : "read whole");
    const kind = outcome.replace(/\d+/g, "N").slice(0, 100);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  report(`\n${compared.length} files`);
  for (const [kind, count] of [...counts].sort((a, b) => b[1] - a[1]))
    report(`${String(count).padStart(5)}  ${kind}`);
}

const WORDS_MIN = 5;

/** What a file has to keep to be as good as the other's, from what counts all to what counts what is meant. */
const MEASURES: [string, (each: Compared) => boolean][] = [
  ["its words", ({ recall }) => recall >= NEAR],
  ["its words, without what ours leaves out on purpose", ({ meant }) => meant >= NEAR],
  ["or its letters, where words are parted otherwise", (each) => each.meant >= NEAR || each.letters >= NEAR],
  ["or as much as the other keeps of ours", isAsGood],
];

function isAsGood({ meant, letters, precision }: Compared): boolean {
  return meant >= NEAR || letters >= NEAR || meant >= precision;
}

function summary(all: readonly Compared[]): void {
  reportOutcomes(all);
  const compared = all.filter(({ read, words }) => read.markdown !== undefined && words >= WORDS_MIN);
  report(
    `\nOf ${compared.length} files of which the other has ${WORDS_MIN} words and more, ${NEAR} is kept of`,
  );
  for (const [name, isKept] of MEASURES)
    report(`  ${name}: ${rate(compared.filter(isKept).length, compared)}`);
  const inOrder = compared.filter(({ order }) => order >= NEAR).length;
  report(`  the order of words that both have: ${rate(inOrder, compared)}`);
  const asRead = compared.filter(({ readingOrder }) => readingOrder >= NEAR).length;
  report(`  or as the other would have people read it: ${rate(asRead, compared)}`);
  const withTables = compared.flatMap(({ tables }) => tables ?? []);
  const kept = withTables.filter((tables) => tables >= NEAR).length;
  report(
    `  the neighbours in rows of tables: ${rate(kept, withTables)}; median ${share(median(withTables))}`,
  );
  for (const name of ["recall", "meant", "letters", "precision", "order", "readingOrder"] as const)
    report(`median of ${name}: ${share(median(compared.map((each) => each[name])))}`);
  reportCosts(all.map(({ read }) => read));
}

const rate = (count: number, { length }: { length: number }) =>
  `${count} of ${length} (${((100 * count) / Math.max(1, length)).toFixed(1)} %)`;

/** Pages of a PDF and slides have a mark each. */
const pagesOf = ({ markdown = "" }: Read) =>
  markdown.match(/<a id="page=\d+"><\/a>|\{#slide-\d+\}$/gm)?.length ?? 0;
const thousandsOf = ({ markdown = "" }: Read) => (markdown.match(/\S+/g)?.length ?? 0) / 1_000;

/** What a reader costs: a process that begins and reads one document, and, of long ones, each page or thousand words. */
function reportCosts(reads: readonly Read[]): void {
  reportSpread(
    "processor time for a document",
    "ms",
    reads.map(({ cpuMs }) => cpuMs),
  );
  reportSpread(
    "memory of its process",
    "MB",
    reads.map(({ peakMb }) => peakMb),
  );
  const long = reads.filter((read) => pagesOf(read) >= LONG_PAGES);
  reportSpread(
    "processor time for a page of long ones",
    "ms",
    long.map((read) => read.cpuMs / pagesOf(read)),
  );
  const wordy = reads.filter((read) => thousandsOf(read) >= LONG_THOUSANDS);
  const perThousand = wordy.map((read) => read.cpuMs / thousandsOf(read));
  reportSpread("processor time for 1,000 words of long ones", "ms", perThousand);
}

const LONG_PAGES = 10;
const LONG_THOUSANDS = 2;

function reportSpread(what: string, unit: string, values: readonly number[]): void {
  if (values.length === 0) return;
  const [middle, most, all] = [0.5, 0.95, 1].map((part) => Math.round(atShare(values, part)));
  report(`${what} (${values.length}): median ${middle} ${unit}, 95 of 100 within ${most}, most ${all}`);
}

const atShare = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

async function compare(argv: readonly string[]): Promise<void> {
  const commands = commandsOf(argv);
  const [folder = ".", kind = "pdf"] = argv;
  const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
  const output = option("--write");
  const files = (await $`find -L ${folder} -type f -name ${`*.${kind}`} -size +0`.text())
    .trim()
    .split("\n")
    .sort();
  const compared: Compared[] = [];
  if (output !== undefined) await mkdir(output, { recursive: true });
  for (const file of files.filter((each) => each.includes(option("--only") ?? ""))) {
    const one = await compareFile(file, kind, commands);
    compared.push(one);
    const { read, words, tables } = one;
    const said = read.crashed ?? read.unreadable ?? read.faults?.join("; ") ?? "";
    const numbers = [one.recall, one.meant, one.letters, one.precision, one.order, one.readingOrder]
      .map(share)
      .join(" ");
    const rows = tables === undefined ? "-" : share(tables);
    const good = read.markdown === undefined || words < WORDS_MIN || isAsGood(one) ? "" : "LESS ";
    report(
      `${numbers} ${rows} ${words}w ${read.cpuMs}ms ${read.peakMb}MB ${good}${basename(file)} ${said}`.trim(),
    );
    if (output !== undefined && read.markdown !== undefined)
      await Bun.write(join(output, `${basename(file, extname(file))}.md`), read.markdown);
  }
  summary(compared);
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--child") await child(rest[0] ?? "", rest[1] ?? "");
else await compare(process.argv.slice(2));
