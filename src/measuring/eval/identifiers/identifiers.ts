import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { parsePage } from "@docent/reading/markdown/page";
import type { Dataset } from "../datasets/datasets.ts";
import type { EvalReport, Loss } from "../evaluate.ts";
import { canonicalPath } from "../question.ts";
import { share, type Table, tablesOf } from "../tables.ts";
import type { PageText } from "./occurrences.ts";
import { identifierQuestions } from "./questions.ts";

/** Makes a set from a folder of Markdown: its identifiers and phrases are the questions. */
export async function readIdentifierSet(named: string, cache: string): Promise<Dataset> {
  const found = [named, join(cache, named)].find((each) => existsSync(each));
  if (found === undefined) {
    throw new AppError("not_found", `There is no folder ${named}, here or in ${cache}.`, {
      hint: "docent eval <folder of Markdown> --identifiers",
    });
  }
  const folder = realpathSync(found);
  const questions = identifierQuestions(await readPageTexts(folder));
  if (questions.length === 0) {
    throw new AppError("invalid_request", `${folder} has no Markdown with a name in it to ask for.`, {
      hint: "Names are error codes, flags, functions, files, settings, and phrases of four words and more.",
    });
  }
  return {
    name: basename(folder),
    folder,
    docs: folder,
    languages: [],
    entries: [],
    tasks: [{ name: "", questions }],
  };
}

/** The text of each page that readers see, parsed as ingest does. */
async function readPageTexts(folder: string): Promise<PageText[]> {
  const pages: PageText[] = [];
  for (const file of [...new Bun.Glob("**/*.{md,mdx,markdown}").scanSync(folder)].sort()) {
    const path = canonicalPath(file);
    const source = await Bun.file(join(folder, file)).text();
    const page = parsePage(source, { fallbackTitle: path, format: file.endsWith(".mdx") ? "mdx" : "md" });
    if (page.hidden) continue;
    const texts = page.passages.flatMap(({ headingPath, text }) => [...headingPath, text]);
    pages.push({ path, text: [page.title, ...texts].join("\n") });
  }
  return pages;
}

/**
 * A report on identifiers: the scores, and by kind and way of asking how often the page comes first and how
 * high it ranks.
 */
export function identifierTables(report: EvalReport, losses: readonly Loss[]): Table[] {
  const { systems } = report;
  const lost = Map.groupBy(losses, ({ subset }) => subset);
  const subsets = Object.entries(systems[0]?.subsets ?? {});
  const cells = (subset: string, score: "hit1" | "mrr10") =>
    systems.map((system) => share(system.subsets[subset]?.[score]));
  const byKind = Map.groupBy(subsets, ([subset]) => subset.split(": ")[0] ?? subset);
  const heads = [
    "asked",
    "questions",
    ...systems.map(({ name }) => `hit@1 ${name}`),
    ...systems.map(({ name }) => `MRR@10 ${name}`),
    "lost",
  ];
  const tables = [...byKind].map(([kind, own]) => ({
    title: `by how it is asked for: ${kind}`,
    heads,
    rows: own.map(([subset, { questions }]) => [
      subset.slice(kind.length + 2),
      String(questions),
      ...cells(subset, "hit1"),
      ...cells(subset, "mrr10"),
      String(lost.get(subset)?.length ?? 0),
    ]),
  }));
  return [...tablesOf(report).slice(0, 1), ...tables];
}
