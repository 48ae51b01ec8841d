import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { DocumentReading } from "../../../src/reading/document-process/documents.ts";
import type { DocumentKind } from "../../../src/reading/documents/documents.ts";
import { isSkipped } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import { createFolderReader } from "../../../src/reading/sources/folder/folder.ts";
import { zipBytes } from "../../helpers/archive-bytes.ts";
import { htmlPage, startFakeSite } from "../../helpers/fake-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const decode = (content: Uint8Array) => new TextDecoder().decode(content);

/** Reads every document as what is written in it, and notes which were asked for. */
function fakeReading(bytesMax = 1000) {
  const asked: DocumentKind[] = [];
  const reading: DocumentReading = {
    bytesMax,
    keptBytesMax: 50,
    async read(content, kind) {
      asked.push(kind);
      const text = decode(content);
      if (text === "scan") return { unreadable: "has no text: a scan of 3 pages" };
      return {
        data: { title: `A ${kind}` },
        markdown: text,
        faults: text === "half" ? ["has a page that is a scan"] : [],
      };
    },
  };
  return { reading, asked };
}

async function folderOf(files: Record<string, string>, documents: DocumentReading) {
  using folder = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
  const reader = createFolderReader({ root: folder.path, fileBytesMax: 100, documents });
  const items = await Array.fromAsync(reader.list(listContext()));
  const texts: Record<string, string> = {};
  const faults: Record<string, readonly string[]> = {};
  for (const item of items) {
    if (isSkipped(item)) continue;
    texts[item.path] = decode(await item.read()).replace(/,"original":"[0-9a-f]{64}"/, "");
    faults[item.path] = item.faults ?? [];
  }
  const skipped = items.filter(isSkipped).map(({ location, detail }) => `${location} ${detail}`);
  return { texts, faults, skipped };
}

describe("documents in a folder", () => {
  test("are pages under their own names, beside those of text, whatever the case of their extension", async () => {
    const { reading, asked } = fakeReading();
    const { texts, skipped } = await folderOf(
      { "guide.md": "# Guide", "guide.pdf": "the guide", "a/Plan.DOCX": "the plan", "old.doc": "x" },
      reading,
    );
    expect(texts).toEqual({
      "a/Plan.DOCX": `---\n{"title":"A docx"}\n---\nthe plan`,
      guide: "# Guide",
      "guide.pdf": `---\n{"title":"A pdf"}\n---\nthe guide`,
    });
    expect(asked).toEqual(["docx", "pdf"]);
    expect(skipped).toEqual([
      "old.doc is in a format of Office 2003 and older: save it as .docx, .pptx or .xlsx",
    ]);
  });

  test("have a bound of their own, and leave what Office writes beside an open one", async () => {
    const { reading } = fakeReading(200);
    const files = {
      "a.pdf": "x".repeat(150),
      "b.pdf": "x".repeat(250),
      "c.md": "x".repeat(150),
      "~$a.docx": "me",
    };
    const { texts, skipped } = await folderOf(files, reading);
    expect(Object.keys(texts)).toEqual(["a.pdf"]);
    expect(skipped.toSorted()).toEqual([
      "b.pdf is larger than 200 bytes",
      "c.md is larger than 100 bytes",
      "~$a.docx says that someone has a document open",
    ]);
  });

  test("say what of them is not read", async () => {
    const { faults } = await folderOf({ "a.pdf": "half", "b.pdf": "scan" }, fakeReading().reading);
    expect(faults).toEqual({
      "a.pdf": ["has a page that is a scan"],
      "b.pdf": ["has no text: a scan of 3 pages"],
    });
  });

  test("that a wiki's export holds under a number have their names, and its images are found", async () => {
    const object = (kind: string, id: string, inside: string) =>
      `<object class="${kind}"><id name="id">${id}</id>${inside}</object>`;
    const value = (name: string, text: string) => `<property name="${name}">${text}</property>`;
    const of = (name: string, id: string) =>
      `<property name="${name}" class="Page"><id name="id">${id}</id></property>`;
    const file = (id: string, name: string) =>
      object("Attachment", id, value("title", name) + value("version", "1") + of("containerContent", "10"));
    const entities = [
      "<hibernate-generic>",
      object("Page", "10", value("title", "Guide")),
      object(
        "BodyContent",
        "90",
        value("body", "&lt;ac:image&gt;&lt;ri:attachment ri:filename='a b.png'/&gt;&lt;/ac:image&gt;") +
          of("content", "10"),
      ),
      file("70", "a b.png"),
      file("71", "manual.pdf"),
      "</hibernate-generic>",
    ].join("");
    using folder = temporaryDirectory();
    const files = {
      "entities.xml": entities,
      "attachments/10/70/1": "image",
      "attachments/10/71/1": "manual",
    };
    for (const [name, text] of Object.entries(files)) await Bun.write(join(folder.path, name), text);
    const { reading } = fakeReading(5_000);
    const reader = createFolderReader({ root: folder.path, fileBytesMax: 100, documents: reading });
    const listed = await Array.fromAsync(reader.list(listContext()));
    const items = listed.flatMap((item) => (isSkipped(item) ? [] : [item]));
    expect(items.map(({ path }) => path)).toEqual(["guide/manual.pdf", "guide"]);
    expect(decode((await items[0]?.read()) ?? new Uint8Array())).toContain("manual");
    const image = items[1]?.imageFile?.("/attachments/10/a%20b.png");
    expect(decode((await image?.read?.()) ?? new Uint8Array())).toBe("image");
  });

  test("of a docs generator are at the addresses at which it publishes them; others are named", async () => {
    const { reading } = fakeReading();
    const { texts, skipped } = await folderOf(
      {
        "mkdocs.yml": "site_name: Acme",
        "docs/index.md": "# Home",
        "docs/guide/setup.md": "# Setup",
        "docs/guide/files/manual.pdf": "manual",
        "docs/price.xlsx": "price",
        "test/sample.pdf": "sample",
      },
      reading,
    );
    expect(Object.keys(texts).toSorted()).toEqual([
      "",
      "guide/files/manual.pdf",
      "guide/setup",
      "price.xlsx",
    ]);
    expect(skipped).toEqual(["test/sample.pdf is no page of the site that MkDocs makes"]);
    const { texts: ofDocusaurus } = await folderOf(
      {
        "docusaurus.config.js": "module.exports = { presets: [['classic', {}]] };",
        "docs/a.md": "# A",
        "static/files/manual.pdf": "manual",
      },
      reading,
    );
    expect(Object.keys(ofDocusaurus).toSorted()).toEqual(["docs/a", "files/manual.pdf"]);
  });
});

describe("documents of an archive", () => {
  test("are pages as those of a folder are", async () => {
    using folder = temporaryDirectory();
    const file = `${folder.path}/docs.zip`;
    await Bun.write(
      file,
      zipBytes([
        { name: "docs/a.md", text: "# A" },
        { name: "docs/b.pdf", text: "b" },
      ]),
    );
    const { reading } = fakeReading();
    const reader = createArchiveReader({ file, fileBytesMax: 100, documents: reading });
    const items = await Array.fromAsync(reader.list(listContext()));
    expect(items.map((item) => (isSkipped(item) ? item.detail : [item.path, item.format]))).toEqual([
      ["a", "md"],
      ["b.pdf", "document"],
    ]);
  });
});

describe("documents of a website", () => {
  const pdf = (body: string, headers: Record<string, string> = {}) => ({
    headers: { "content-type": "application/pdf", ...headers },
    body,
  });

  test("are pages at their addresses, known by their type or else their name, up to a bound of their own", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/manual.pdf", "/download?id=7", "/plan.docx", "/large.pdf", "/secret.pdf"]),
      "/manual.pdf": pdf("manual"),
      "/plan.docx": { headers: { "content-type": "application/octet-stream" }, body: "plan" },
      "/large.pdf": pdf("x".repeat(2000)),
      "/secret.pdf": pdf("secret", { "x-robots-tag": "noindex" }),
    });
    const { reading } = fakeReading();
    const run = await runReader(websiteReader(site, { documents: reading, pageBytesMax: 500 }));
    expect(run.paths).toEqual(["", "manual.pdf", "plan.docx"]);
    expect(run.texts["manual.pdf"]).toContain("manual");
    expect(run.reasons.filter((each) => /pdf/.test(each))).toEqual([
      "/large.pdf: too_large",
      "/secret.pdf: noindex",
    ]);
  });

  test("are asked for only if they have changed, and read again where they were read by an older version", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/manual.pdf"]),
      "/manual.pdf": (request) =>
        request.headers.get("if-none-match") === '"one"' ? { status: 304 } : pdf("manual", { etag: '"one"' }),
    });
    const { reading, asked } = fakeReading();
    const first = await runReader(websiteReader(site, { documents: reading }));
    const second = await runReader(websiteReader(site, { documents: reading }), first.memory);
    expect([second.paths, asked.length]).toEqual([["", "manual.pdf"], 1]);
    const at = `${site.url}/manual.pdf`;
    const older = first.memory[at];
    if (older === undefined) throw new Error("nothing was remembered");
    const validator = older.validator?.replace(/\n[^\n]*$/, "\ndocuments.0");
    await runReader(websiteReader(site, { documents: reading }), {
      ...first.memory,
      [at]: { ...older, validator },
    });
    expect(asked).toHaveLength(2);
  });
});
