import { expect, test } from "bun:test";
import { bookstack } from "../../../src/reading/generators/bookstack/bookstack.ts";
import { type Files, openFiles, readPageOf, recognizeFiles, siteOf } from "./open-files.ts";

const dataOf = (content: object) =>
  JSON.stringify({
    ...content,
    exported_at: "2026-01-01T10:00:00+00:00",
    instance: { version: "v25.02", id_ciphertext: "ey" },
  });

const PAGE = {
  id: 40,
  name: "First steps",
  priority: 1,
  html:
    '<h2 id="bkmrk-before">Before</h2><p id="bkmrk-see">See <a href="[[bsexport:page:41]]#bkmrk-tail">the tail</a>, <a href="[[bsexport:chapter:2]]">a chapter</a>, ' +
    '<a href="[[bsexport:page:99]]">a gone page</a>, <a href="[[bsexport:attachment:7]]">a file</a> and <a href="[[bsexport:attachment:8]]">a link</a>.</p>' +
    '<p class="callout warning" id="bkmrk-hot">Hot <strong>plate</strong>.</p><p><img src="[[bsexport:image:22]]" alt="A plan"></p>' +
    '<pre id="bkmrk-x"><code class="language-bash">ls -l</code></pre>',
  attachments: [
    { id: 7, name: "The manual", file: "abc.pdf", order: 1 },
    { id: 8, name: "Elsewhere", link: "https://acme.invalid/x", order: 2 },
  ],
  images: [{ id: 22, name: "plan", file: "pic.png", type: "gallery" }],
  tags: [
    { name: "team", value: "ops" },
    { name: "draft", value: "" },
  ],
};

const BOOK: Files = {
  "data.json": dataOf({
    book: {
      id: 8,
      name: "Handbook",
      description_html: "<p>All of it.</p>",
      chapters: [
        {
          id: 2,
          name: "Later",
          priority: 2,
          pages: [
            {
              id: 41,
              name: "Tail",
              markdown: "# Own\n\n[back]([[bsexport:page:40]]) ![]([[bsexport:image:22]])\n",
              html: '<p id="bkmrk-tail">x</p>',
            },
          ],
        },
      ],
      pages: [PAGE],
    },
  }),
  "files/pic.png": "png",
  "files/abc.pdf": "pdf",
};

test("A book has its chapters and pages as menu and as addresses, in its own order", async () => {
  const site = await siteOf(BOOK);
  expect(site.generator).toBe("BookStack");
  expect(site.pages.map(({ location, path }) => [location, path])).toEqual([
    ["data.json#Handbook", ""],
    ["data.json#First steps", "first-steps"],
    ["data.json#Later", "later"],
    ["data.json#Tail", "later/tail"],
  ]);
  expect(site.menu.map(({ label, path, children }) => [label, path, children.length])).toEqual([
    ["Handbook", "", 0],
    ["First steps", "first-steps", 0],
    ["Later", "later", 1],
  ]);
  expect(site.unknowns[0]?.question).toContain("Whom are these pages for?");
  expect((await readPageOf(site, "data.json#Handbook")).markdown).toBe(
    "All of it.\n\n- [First steps](/first-steps)\n- [Later](/later)",
  );
});

test("A page has its references as links, its callouts, and only the places that links lead to", async () => {
  const site = await siteOf(BOOK);
  expect(await readPageOf(site, "data.json#First steps")).toEqual({
    data: { title: "First steps", tags: ["team: ops", "draft"] },
    markdown: `## Before {#bkmrk-before}

See [the tail](/later/tail#bkmrk-tail), [a chapter](/later), a gone page, [a file](/first-steps/The%20manual.pdf) and [a link](https://acme.invalid/x).

> [!WARNING]
>
> Hot **plate**.

![A plan](/files/pic.png)

\`\`\`bash
ls -l
\`\`\``,
    faults: [],
  });
  expect((await readPageOf(site, "data.json#Tail")).markdown).toBe(
    "# Own\n\n[back](/first-steps) ![](/files/pic.png)",
  );
});

test("An attached document is published below its page, under the name that people see", async () => {
  const site = await siteOf(BOOK);
  const [held] = site.held ?? [];
  expect(site.documentPath?.(held?.location ?? "")).toBe("first-steps/The manual.pdf");
  expect(new TextDecoder().decode(await held?.read())).toBe("pdf");
});

test("Several exports beside each other are one site, each with its own numbers", async () => {
  const site = await openFiles(bookstack, {
    "a/data.json": BOOK["data.json"] ?? "",
    "a/files/pic.png": "png",
    "b/data.json": dataOf({
      page: { id: 40, name: "Alone", html: '<p><a href="[[bsexport:page:40]]">me</a></p>' },
    }),
  });
  expect(site.pages.map(({ path }) => path)).toEqual([
    "handbook",
    "handbook/first-steps",
    "handbook/later",
    "handbook/later/tail",
    "alone",
  ]);
  expect((await readPageOf(site, "b/data.json#Alone")).markdown).toBe("[me](/alone)");
});

test("Other files of that name are left alone", async () => {
  expect(await recognizeFiles({ "data.json": '{"book":{"title":"x"}}' })).toBeUndefined();
  expect(await recognizeFiles({ "data.json": '{"page":{"name":"x"}}' })).toBeUndefined();
  expect(await recognizeFiles({ "data.json": "no" })).toBeUndefined();
});

test("Tasks, images that lead to themselves, and code as an older editor showed it are plain Markdown", async () => {
  const html = [
    '<ul><li class="task-list-item"><input type="checkbox" disabled checked> Done</li><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul>',
    '<p><a href="[[bsexport:image:22]]"><img src="[[bsexport:image:22]]" alt="A plan"></a></p>',
    '<div class="CodeMirrorContainer" data-lang="bash"><textarea style="display: none;">ls -l</textarea><div><pre>1</pre><pre>ls -l</pre></div></div>',
  ].join("");
  const site = await siteOf({
    ...BOOK,
    "data.json": dataOf({ book: { id: 8, name: "Handbook", pages: [{ ...PAGE, html }] } }),
  });
  const { markdown } = await readPageOf(site, site.pages.at(-1)?.location ?? "");
  expect(markdown).toBe("- [x] Done\n- [ ] Open\n\n![A plan](/files/pic.png)\n\n```bash\nls -l\n```");
});
