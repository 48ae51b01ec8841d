import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { parsePage } from "../../src/markdown/page.ts";
import type { BenchPage } from "./retrieval-corpus.ts";
import type { BenchPassage, RetrievalSpec } from "./retrieval-spec.ts";

/** Pages on the disk, and the same cut into passages. */
export interface Corpus {
  pages: string;
  passages: string;
  pageCount: number;
  passageCount: number;
}

/** Writes as many pages as make `passages` passages. */
export async function writeCorpus(
  directory: string,
  pages: Iterable<BenchPage>,
  passagesMax: number,
): Promise<Corpus> {
  const corpus: Corpus = {
    pages: join(directory, "pages"),
    passages: join(directory, "passages.jsonl"),
    pageCount: 0,
    passageCount: 0,
  };
  mkdirSync(directory, { recursive: true });
  const writer = Bun.file(corpus.passages).writer();
  for (const { path, markdown } of pages) {
    if (corpus.passageCount >= passagesMax) break;
    const file = join(corpus.pages, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    await Bun.write(file, markdown);
    for (const passage of passagesOf({ path, markdown })) {
      writer.write(`${JSON.stringify(passage)}\n`);
      corpus.passageCount++;
    }
    corpus.pageCount++;
  }
  await writer.end();
  return corpus;
}

function passagesOf({ path, markdown }: BenchPage): BenchPassage[] {
  const { title, passages } = parsePage(markdown, { fallbackTitle: path });
  return passages.map(({ headingPath, text }) => ({ path, title, headings: headingPath.join(" "), text }));
}

const WORKER = join(import.meta.dir, "retrieval-worker.ts");

/** Runs one engine in a process of its own. Undefined where it did not finish in time. */
export async function runEngine<T>(
  spec: RetrievalSpec,
  schema: z.ZodType<T>,
  secondsMax: number,
): Promise<T | undefined> {
  const child = Bun.spawn([process.execPath, WORKER, JSON.stringify(spec)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    timeout: secondsMax * 1000,
    killSignal: "SIGKILL",
  });
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (child.signalCode === "SIGKILL") return undefined;
  if (code !== 0) throw new Error(`${spec.engine} ended with ${code} at ${spec.work}`);
  return schema.parse(JSON.parse(out));
}
