import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { $ } from "bun";
import { textToMarkdown } from "../../src/markdown/txt.ts";

/*
 * Writes a set of questions over Markdown anew, with each page as a document that other programs made of it:
 *
 *   bun scripts/documents/round-trip.ts <set> <docx, odt, epub, pptx or pdf> <folder for the new set>
 *   docent eval <set>; docent eval <folder for the new set>
 *
 * What search finds in both should be the same. Needs pandoc; for PDF LibreOffice as well.
 */

const [set = "", form = "", target = ""] = process.argv.slice(2);
/** LibreOffice makes a PDF of a file that pandoc has written. */
const WRITTEN_AS = form === "pdf" ? "docx" : form;
const AT_ONCE = 100;

if (set === "" || target === "" || !["docx", "odt", "epub", "pptx", "pdf"].includes(form)) {
  process.stderr.write(
    "bun scripts/documents/round-trip.ts <set> <docx, odt, epub, pptx or pdf> <new set>\n",
  );
  process.exit(1);
}

const docs = join(set, "docs");
const written = join(target, "docs");
rmSync(target, { recursive: true, force: true });
mkdirSync(written, { recursive: true });
const pages = [...new Bun.Glob("**/*.md").scanSync(docs)].sort();
for (const page of pages) await write(page);
if (form === "pdf") await print();
writeQuestions();

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
function writeQuestions(): void {
  for (const name of readdirSync(set))
    if (/^queries\.jsonl$/.test(name)) cpSync(join(set, name), join(target, name));
  const [head = "", ...rows] = readFileSync(join(set, "qrels_pages.tsv"), "utf8").split("\n");
  const renamed = rows.map((row) => row.replace(/\.md(?=\t|$)/, `.${form}`));
  writeFileSync(join(target, "qrels_pages.tsv"), [head, ...renamed].join("\n"));
}
