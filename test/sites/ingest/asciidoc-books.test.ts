import { expect, test } from "bun:test";
import { join } from "node:path";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { listContext } from "../../helpers/list-context.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const BOOK = {
  "book.adoc": `= The Book
:doctype: book
:product: Acme
:imagesdir: images
include::settings.adoc[]

Words of the book.

include::intro.adoc[]

include::chapters/one.asc[leveloffset=+1]

include::chapters/two.adoc[tag=short]
`,
  "settings.adoc": ":release: 7\n",
  "intro.adoc": "[preface]\n== Before [you] start\n\nRead about {product} {release}.\n",
  "chapters/one.asc": `[[chapter-one]]
== Chapter One

The first one.

include::sections/part.adoc[]

=== Summary

That was it.
`,
  "chapters/sections/part.adoc": `// A comment.
=== About {product}

See <<chapter-two>>, <<_more_words>>, <<chapter-one#chapter-one,the chapter>>, <<book#_deep_down>> and <<nowhere>>.

image::a.png[A picture]

include::snippet.adoc[]

==== More words

<<_more_words>> is here.
`,
  "chapters/sections/snippet.adoc": "NOTE: Mind {product}.\n",
  "chapters/two.adoc": `// tag::short[]
[#chapter-two]
== Chapter Two
// end::short[]

=== Deep down

Words.
`,
};

async function pagesOf(files: Record<string, string>) {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
  const pages: Record<string, string> = {};
  const faults: string[] = [];
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100_000 });
  for await (const item of reader.list(listContext())) {
    if (isSkipped(item)) continue;
    pages[item.path] = new TextDecoder().decode(await item.read());
    faults.push(...(item.faults ?? []));
  }
  return { pages, faults };
}

test("a part of a book is a page of its own, and its book has a link in its place", async () => {
  const { pages, faults } = await pagesOf(BOOK);
  expect(pages["book"]).toContain('"title":"The Book"');
  expect(pages["book"]).toContain(
    "Words of the book.\n\n- [Before [you] start](intro.adoc)\n\n- [Chapter One](chapters/one.asc)\n\n## Chapter Two",
  );
  expect(pages["book"]).not.toContain("The first one.");
  expect(pages["chapters/one"]).toBe(
    '---\n{"title":"Chapter One"}\n---\nThe first one.\n\n- [About Acme](sections/part.adoc)\n\n## Summary {#_summary}\n\nThat was it.',
  );
  expect(faults).toEqual([]);
});

test("a part is read with the attributes and the images of its book, and its heading is its title", async () => {
  const { pages } = await pagesOf(BOOK);
  expect(pages["intro"]).toBe('---\n{"title":"Before [you] start"}\n---\nRead about Acme 7.');
  expect(pages["chapters/sections/part"]).toContain('{"title":"About Acme"}');
  expect(pages["chapters/sections/part"]).toContain("![A picture](../../images/a.png)");
  expect(pages["chapters/sections/part"]).toContain("Mind Acme.");
});

test("references lead to where an id is, in whatever part of the book", async () => {
  const { pages } = await pagesOf(BOOK);
  expect(pages["chapters/sections/part"]).toContain(
    "See [Chapter Two](../two.adoc), [More words](#_more_words), [the chapter](../one.asc), [Deep down](../two.adoc#_deep_down) and [[nowhere]](#nowhere).",
  );
});

test("files that include nothing with a heading are read as before", async () => {
  const { pages } = await pagesOf({
    "a.adoc": "= A\n\ninclude::b.adoc[]\n\n<<nowhere>>\n",
    "b.adoc": "Only words.\n\n== A heading below\n",
  });
  expect(pages["a"]).toContain("Only words.\n\n## A heading below");
  expect(pages["b"]).toBe("---\n{}\n---\nOnly words.\n\n## A heading below {#_a_heading_below}");
});

test("files that include each other are read", async () => {
  const { pages } = await pagesOf({
    "a.adoc": "== A\n\ninclude::b.adoc[]\n",
    "b.adoc": "== B\n\ninclude::a.adoc[]\n\ninclude::c.adoc[]\n",
    "c.adoc": "== C\n\nWords.\n",
    "d.adoc": "= D\n\ninclude::c.adoc[lines=3]\n",
  });
  expect(pages["a"]).toContain("[B](b.adoc)");
  expect(pages["b"]).toContain("[A](a.adoc)");
  expect(pages["d"]).toEndWith("\nWords.");
});
