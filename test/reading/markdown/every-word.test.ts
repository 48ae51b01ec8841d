import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { convert } from "@asciidoctor/core";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { LACKING } from "../../../scripts/generators/shown-words.ts";
import { readAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import { htmlToText } from "../../../src/reading/markdown/html-text.ts";
import { parsePage } from "../../../src/reading/markdown/page.ts";

// What others make of a page is held against what Docent shows of it.

/** What is lacking of the words of a page's HTML, as another program writes it. */
function lackingOf(path: string, html: string, page: ReturnType<typeof parsePage>): string[] {
  const compared = { path, lines: htmlToText(html).split("\n"), page };
  return Object.values(LACKING).flatMap((of) => of(compared));
}

const DOCS = join(import.meta.dir, "../../../docs");
const withoutFrontMatter = (page: string) => page.replace(/^---\n[\s\S]*?\n---\n/, "");

describe("every word of a page is shown, in order", () => {
  test("in Markdown: all of Docent's own docs, against micromark", async () => {
    const files = [...new Bun.Glob("*.md").scanSync(DOCS)];
    expect(files.length).toBeGreaterThan(50);
    const lacking: string[] = [];
    for (const file of files) {
      const text = await Bun.file(join(DOCS, file)).text();
      const html = micromark(withoutFrontMatter(text), {
        extensions: [gfm()],
        htmlExtensions: [gfmHtml()],
        allowDangerousHtml: true,
      });
      lacking.push(...lackingOf(file, html, parsePage(text, { fallbackTitle: file })));
    }
    expect(lacking).toEqual([]);
  });

  test("in AsciiDoc: blocks, lists, tables, callouts and marks, against Asciidoctor", async () => {
    const html = String(await convert(ASCIIDOC, { safe: "secure", standalone: false }));
    const place = { location: "page.adoc", include: async () => "is not in this source" };
    const { data, markdown } = await readAsciidoc(ASCIIDOC, place);
    const page = parsePage(`---\n${JSON.stringify(data)}\n---\n${markdown}`, { fallbackTitle: "Page" });
    expect(html).toContain("must <strong>not</strong> delete");
    expect(lackingOf("page.adoc", html, page)).toEqual([]);
    const holed = parsePage(
      markdown.replace("must *not* delete", "must delete").replace("must **not** delete", "must delete"),
      {
        fallbackTitle: "Page",
      },
    );
    expect(lackingOf("page.adoc", html, holed)).toEqual([
      "page.adoc: not (you must not delete the options before 30)",
      "page.adoc: not",
    ]);
  });
});

const ASCIIDOC = `= Page

You must *not* delete https://example.org[the options] before \`30 days\` have passed, and never more than 5{nbsp}GB.

WARNING: Do not do it again, please.

.A title that is not lost
[NOTE]
====
**Never** run it as root: not even _once_.

* not one item
** nor one below it
====

Term that is not one:: Its text, without a word less.
Second:: Not more than 3 of them.

. First, do nothing.
. Then do not stop.
+
----
rm --no-preserve-root 1
----

|===
|Name |What it does not do

|a |Never fails within 10 seconds
|b a|
* no list in a cell is lost
|===

[quote,Nobody]
Nothing is not something.

== No words below

== Last: not lost
`;
