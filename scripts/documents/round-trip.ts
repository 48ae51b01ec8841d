import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { $ } from "bun";
import { splitFrontMatter } from "../../src/reading/markdown/front-matter.ts";
import { textToMarkdown } from "../../src/reading/markdown/txt.ts";
import { publishedPaths, type RenderedPage, writeConfluenceExport } from "./confluence-export.ts";

/*
 * Writes a set of questions over Markdown anew, with each page as a document that other programs made of it:
 *
 *   bun scripts/documents/round-trip.ts <set> <docx, odt, epub, pptx, pdf or confluence> <folder for the new set>
 *   docent eval <set>; docent eval <folder for the new set>
 *
 * What search finds in both should be the same. Needs pandoc; for PDF LibreOffice as well. `confluence` is the HTML export of
 * a space.
 */

const [set = "", form = "", target = ""] = process.argv.slice(2);
/** LibreOffice makes a PDF of a file that pandoc has written. */
const WRITTEN_AS = form === "pdf" ? "docx" : form;
const AT_ONCE = 100;

const FORMS = ["docx", "odt", "epub", "pptx", "pdf", "confluence"];

if (set === "" || target === "" || !FORMS.includes(form)) {
  process.stderr.write(`bun scripts/documents/round-trip.ts <set> <${FORMS.join(", ")}> <new set>\n`);
  process.exit(1);
}

const docs = join(set, "docs");
const written = join(target, "docs");
rmSync(target, { recursive: true, force: true });
mkdirSync(written, { recursive: true });
const pages = [...new Bun.Glob("**/*.md").scanSync(docs)].sort();
if (form === "confluence") await exportSpace();
else {
  for (const page of pages) await write(page);
  if (form === "pdf") await print();
  writeQuestions((page) => page.replace(/\.md$/, `.${form}`));
}

/** The pages as a space of Confluence; they are called as Docent publishes them. */
async function exportSpace(): Promise<void> {
  const rendered: RenderedPage[] = [];
  for (const page of pages) rendered.push(await render(page));
  writeConfluenceExport(rendered, written);
  const paths = await publishedPaths(rendered, written);
  if (paths.size < pages.length)
    process.stderr.write(`${pages.length - paths.size} pages are not published\n`);
  writeQuestions((page) => paths.get(page) ?? page);
}

/** A page's title is the wiki's, and not in its words. */
async function render(page: string): Promise<RenderedPage> {
  const text = readFileSync(join(docs, page), "utf8");
  const { data, body } = splitFrontMatter(text);
  const [heading = "", first = ""] = /^\s*# (.+)$/m.exec(body) ?? [];
  const title = typeof data["title"] === "string" ? data["title"] : first;
  const words = heading !== "" && title === first ? body.replace(heading, "") : body;
  const html = await $`pandoc -f gfm -t html --no-highlight < ${Buffer.from(words)}`.quiet().nothrow().text();
  return { file: page, title: plain(title) || basename(page, ".md"), html };
}

function plain(title: string): string {
  return title.replace(/[`*]|\]\([^)]*\)|(?<!\w)\[/g, "").trim();
}

/** Front matter names the title, as it does for Docent; YAML that pandoc does not take is none of the page's words. */
async function write(page: string): Promise<void> {
  const text = readFileSync(join(docs, page), "utf8");
  const to = join(written, page.replace(/\.md$/, `.${WRITTEN_AS}`));
  mkdirSync(dirname(to), { recursive: true });
  for (const from of ["gfm+yaml_metadata_block", "gfm"]) {
    const { exitCode } = await $`pandoc -f ${from} -t ${WRITTEN_AS} -o ${to} < ${Buffer.from(text)}`
      .quiet()
      .nothrow();
    if (exitCode === 0) return;
  }
  const { exitCode } = await $`pandoc -f gfm -t ${WRITTEN_AS} -o ${to} < ${Buffer.from(textToMarkdown(text))}`
    .quiet()
    .nothrow();
  if (exitCode !== 0) process.stderr.write(`${page} could not be written\n`);
}

/** Many files in one call: LibreOffice takes longer to start than to print. All of a folder have other names. */
async function print(): Promise<void> {
  const files = [...new Bun.Glob("**/*.docx").scanSync({ cwd: written, absolute: true })];
  for (const [folder, own] of Map.groupBy(files, dirname))
    for (let at = 0; at < own.length; at += AT_ONCE)
      await $`soffice --headless --convert-to pdf --outdir ${folder} ${own.slice(at, at + AT_ONCE)}`
        .quiet()
        .nothrow();
  for (const file of files) rmSync(file);
}

/** The questions, with the pages that answer them under their new names. */
function writeQuestions(nameOf: (page: string) => string): void {
  for (const name of readdirSync(set))
    if (/^queries\.jsonl$/.test(name)) cpSync(join(set, name), join(target, name));
  const [head = "", ...rows] = readFileSync(join(set, "qrels_pages.tsv"), "utf8").split("\n");
  const renamed = rows.map((row) => {
    const [question = "", page = "", ...rest] = row.split("\t");
    return page === "" ? row : [question, nameOf(page), ...rest].join("\t");
  });
  writeFileSync(join(target, "qrels_pages.tsv"), [head, ...renamed].join("\n"));
}
