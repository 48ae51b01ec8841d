import { mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { $ } from "bun";
import { DOCUMENT_KINDS, readDocument } from "../../src/documents/documents.ts";

/*
 * Compares what our readers read of real documents with what another program reads.
 *
 *   bun scripts/documents/compare-text.ts <folder> <kind> [--write <folder>] [--only <part of a name>] -- <command of the other, with {} for the file>
 *   bun scripts/documents/compare-text.ts /tmp/files pdf -- pdftotext {} -
 *
 * Each file is read in a process of its own. Kept are words, each as often as it stands there; in order are those of them
 * that follow each other as they do there.
 */

const TIMEOUT_MS = 60_000;
const ORDER_WORDS_MAX = 3_000;
const NEAR = 0.9;

interface Read {
  markdown?: string;
  unreadable?: string;
  faults?: string[];
  crashed?: string;
  ms: number;
  peakMb: number;
}

interface Score {
  file: string;
  read: Read;
  recall: number;
  precision: number;
  order: number;
  words: number;
}

async function child(file: string, kindName: string): Promise<void> {
  const kind = DOCUMENT_KINDS.find((each) => each === kindName);
  if (kind === undefined) throw new Error(`${kindName} is no kind of document`);
  const started = performance.now();
  const read = await readDocument(await Bun.file(file).bytes(), kind);
  const ms = Math.round(performance.now() - started);
  // Windows aside, maxRSS is in kilobytes on Linux, in bytes on macOS.
  const unit = process.platform === "darwin" ? 1_000_000 : 1_000;
  const peakMb = Math.round(process.resourceUsage().maxRSS / unit);
  await Bun.write(Bun.stdout, JSON.stringify({ ...read, ms, peakMb }));
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
    return { crashed: ms >= TIMEOUT_MS ? "hangs" : `crashes: ${errors.slice(-300)}`, ms, peakMb: 0 };
  if (!out.startsWith("{")) return { crashed: `writes to its output: ${out.slice(0, 200)}`, ms, peakMb: 0 };
  return JSON.parse(out);
}

async function theirs(command: readonly string[], file: string): Promise<string | undefined> {
  const run = Bun.spawn(
    command.map((word) => word.replace("{}", file)),
    { stdout: "pipe", stderr: "ignore", timeout: TIMEOUT_MS, killSignal: "SIGKILL" },
  );
  const [text] = await Promise.all([new Response(run.stdout).text(), run.exited]);
  return run.exitCode === 0 || text.trim() !== "" ? text : undefined;
}

/** The words of a text without its marks; scripts without spaces are compared sign by sign. */
function words(text: string): string[] {
  const plain = text
    .replace(/<a id="[^"]*"><\/a>/g, "")
    .replace(/\]\((?:https?|mailto):[^)\s]*\)/g, "] ")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\u00AD/g, "")
    .replace(/(\p{L})[-\u2010]\s*\n\s*(\p{Ll})/gu, "$1$2");
  return (
    plain.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+/gu,
    ) ?? []
  );
}

function common(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of b) {
    const rest = left.get(word) ?? 0;
    if (rest > 0) {
      left.set(word, rest - 1);
      count += 1;
    }
  }
  return count;
}

/** The length of the longest common subsequence. */
function inOrder(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    const next = new Uint32Array(b.length + 1);
    for (let at = 1; at <= b.length; at += 1)
      next[at] = word === b[at - 1] ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0);
    row = next;
  }
  return row[b.length] ?? 0;
}

async function scoreOf(file: string, kind: string, command: readonly string[]): Promise<Score> {
  const [read, other] = [await ours(file, kind), await theirs(command, file)];
  const [mine, expected] = [words(read.markdown ?? ""), words(other ?? "")];
  const shared = common(mine, expected);
  const [a, b] = [mine.slice(0, ORDER_WORDS_MAX), expected.slice(0, ORDER_WORDS_MAX)];
  return {
    file,
    read,
    recall: expected.length === 0 ? 1 : shared / expected.length,
    precision: mine.length === 0 ? 1 : shared / mine.length,
    order: common(a, b) === 0 ? 1 : inOrder(a, b) / common(a, b),
    words: expected.length,
  };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const share = (value: number) => value.toFixed(3);
const report = (line: string) => process.stdout.write(`${line}\n`);

function summary(scores: readonly Score[]): void {
  const read = scores.filter(({ read }) => read.markdown !== undefined);
  const counts = new Map<string, number>();
  for (const { read } of scores) {
    const outcome =
      read.crashed ??
      (read.unreadable && `refused: ${read.unreadable}`) ??
      (read.faults?.length ? "read in part" : "read whole");
    const kind = outcome.replace(/\d+/g, "N").slice(0, 100);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  report(`\n${scores.length} files`);
  for (const [kind, count] of [...counts].sort((a, b) => b[1] - a[1]))
    report(`${String(count).padStart(5)}  ${kind}`);
  const compared = read.filter(({ words }) => words >= 5);
  for (const name of ["recall", "precision", "order"] as const) {
    const values = compared.map((score) => score[name]);
    const near = values.filter((value) => value >= NEAR).length;
    report(`${name}: median ${share(median(values))}, ${NEAR} and more in ${near} of ${values.length}`);
  }
  const slowest = Math.max(...scores.map(({ read }) => read.ms));
  const largest = Math.max(...scores.map(({ read }) => read.peakMb));
  report(`time: median ${median(scores.map(({ read }) => read.ms))} ms, longest ${slowest} ms`);
  report(`peak memory: median ${median(scores.map(({ read }) => read.peakMb))} MB, most ${largest} MB`);
}

async function compare(argv: readonly string[]): Promise<void> {
  const dash = argv.indexOf("--");
  const [folder = ".", kind = "pdf"] = argv;
  const option = (name: string) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
  const output = option("--write");
  const files = (await $`find -L ${folder} -type f -name ${`*.${kind}`} -size +0`.text())
    .trim()
    .split("\n")
    .sort();
  const scores: Score[] = [];
  if (output !== undefined) await mkdir(output, { recursive: true });
  for (const file of files.filter((each) => each.includes(option("--only") ?? ""))) {
    const score = await scoreOf(file, kind, argv.slice(dash + 1));
    scores.push(score);
    const { read } = score;
    const said = read.crashed ?? read.unreadable ?? read.faults?.join("; ") ?? "";
    const numbers = [score.recall, score.precision, score.order].map(share).join(" ");
    report(`${numbers} ${score.words}w ${read.ms}ms ${read.peakMb}MB ${basename(file)} ${said}`.trim());
    if (output !== undefined && read.markdown !== undefined)
      await Bun.write(join(output, `${basename(file, extname(file))}.md`), read.markdown);
  }
  summary(scores);
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--child") await child(rest[0] ?? "", rest[1] ?? "");
else await compare(process.argv.slice(2));
