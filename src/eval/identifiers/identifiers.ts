import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "../../errors.ts";
import { parsePage } from "../../markdown/page.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { canonicalPath } from "../question.ts";
import type { PageText } from "./occurrences.ts";
import { identifierQuestions } from "./questions.ts";

export { identifierTables } from "./tables.ts";

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
