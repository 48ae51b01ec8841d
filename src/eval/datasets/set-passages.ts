import { join } from "node:path";
import { parsePage } from "../../markdown/page.ts";
import { canonicalPath, type Placed } from "../question.ts";
import type { Dataset } from "./datasets.ts";
import { createLocate, type Locate } from "./locate.ts";

/** Where Docent's own passages of a set stand in its files. */
export interface SetPassages {
  all: Placed[];
  locate: (path: string) => Locate | undefined;
}

/** Cuts the files that spans point into as ingest does, and finds every passage in its file again. */
export async function readSetPassages({ docs, tasks }: Dataset): Promise<SetPassages> {
  const spans = tasks.flatMap(({ questions }) => questions.map((question) => question.spans));
  const named = new Set(spans.flatMap((gold) => (gold ? [gold.path] : [])));
  const all: Placed[] = [];
  const locates = new Map<string, Locate>();
  if (docs === undefined || named.size === 0) return { all, locate: () => undefined };
  for (const file of new Bun.Glob("**/*.{md,mdx,markdown}").scanSync(docs)) {
    const path = canonicalPath(file);
    if (!named.has(path)) continue;
    const text = await Bun.file(join(docs, file)).text();
    const locate = createLocate(text);
    locates.set(path, locate);
    const { passages } = parsePage(text, {
      fallbackTitle: path,
      format: file.endsWith(".mdx") ? "mdx" : "md",
    });
    for (const { markdown } of passages) all.push({ path, ranges: locate(markdown) });
  }
  return { all, locate: (path) => locates.get(canonicalPath(path)) };
}
