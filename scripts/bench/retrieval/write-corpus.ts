import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePage } from "../../../src/reading/markdown/page.ts";
import type { BenchPage } from "./generated-pages.ts";
import type { BenchPassage } from "./spec.ts";

/** Pages on the disk, and the same cut into passages. */
export interface Corpus {
  pages: string;
  passages: string;
  vectors: string;
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
    vectors: join(directory, "vectors.f32"),
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
    await writer.flush();
    corpus.pageCount++;
  }
  await writer.end();
  return corpus;
}

function passagesOf({ path, markdown }: BenchPage): BenchPassage[] {
  const { title, passages } = parsePage(markdown, { fallbackTitle: path });
  return passages.map(({ headingPath, text }) => ({ path, title, headings: headingPath.join(" "), text }));
}
