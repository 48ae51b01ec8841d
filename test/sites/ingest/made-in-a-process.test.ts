import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { AppError } from "../../../src/kernel/errors.ts";
import { createOwnReading } from "../../../src/reading/document-process/documents.ts";
import { decoded, encoded } from "../../../src/reading/page-reading/json-bytes.ts";
import { createMadeApart } from "../../../src/reading/page-reading/made-apart.ts";
import {
  answerWords,
  createOwnPageReading,
  openPageReading,
  pageToRead,
} from "../../../src/reading/page-reading/page-reading.ts";
import { wordsShape } from "../../../src/reading/page-reading/page-shape.ts";
import { isSkipped, type Parsing, type SourceItem } from "../../../src/reading/source-reader.ts";
import { createArchiveReader } from "../../../src/reading/sources/archive/archive.ts";
import {
  boundsOf,
  createAccessRules,
  itemsOfTree,
  type ReadApart,
} from "../../../src/reading/sources/files/files.ts";
import { tarBytes } from "../../helpers/archive-bytes.ts";
import { compiledProgram } from "../../helpers/bundled-program.ts";
import { openIngestSite } from "../../helpers/ingest-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { PROGRAM } from "../../helpers/program.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";
import type { Files } from "../../reading/generators/open-files.ts";
import { MADE_SITES, RECORDED_SITES, recordedFiles } from "./made-sites.ts";

const BOUNDS = { environment: process.env, pageMs: 20_000, memoryBytesMax: 1_000_000_000 };
const RULES = createAccessRules();

const program = () => openPageReading({ command: [...PROGRAM, "read-documents"], ...BOUNDS }).apart;
const OVERCOME = await compiledProgram("overcome-maker.ts");
/** A program that one page gets the better of. */
const overcome = (way: string, page: string, bounds: Partial<typeof BOUNDS> = {}) =>
  openPageReading({
    command: [...OVERCOME, way, page],
    ...BOUNDS,
    ...bounds,
  }).apart;

interface Read {
  text: string;
  faults: readonly string[];
  /** What is parsed of it: there, or else here. */
  page: unknown;
  isMade: boolean;
}

interface More extends Partial<Parameters<typeof itemsOfTree>[1]> {
  /** Files that cannot be read. */
  broken?: string[];
}

const itemsOf = (files: Files, apart?: ReadApart, { broken = [], ...more }: More = {}) => {
  const readable = Object.entries(files).map(([location, text]) => {
    const content = new TextEncoder().encode(text);
    const read = async () => {
      if (broken.includes(location)) throw new AppError("unavailable", `${location} is on another disk.`);
      return content;
    };
    return { location, sizeBytes: content.length, read };
  });
  const isPage = (location: string) => /\.(?:mdx?|rst|adoc|qmd|Rmd|html|txt|org|pod|1|ipynb)$/.test(location);
  const tree = {
    files: readable.filter(({ location }) => isPage(location)),
    others: readable.filter(({ location }) => !isPage(location)),
  };
  const documents = createOwnReading(1_000_000);
  const bounds = boundsOf({ fileBytesMax: 1_000_000, documents, apart });
  return itemsOfTree(tree, {
    found: "folder",
    ...bounds,
    access: RULES,
    clock: () => 1_790_000_000_000,
    ...more,
  });
};

const PARSING: Parsing = { anchors: "github", mayBeHeld: () => false };
const HERE = createOwnPageReading();

/** All pages of a source, by their locations. */
async function readAll(
  items: AsyncIterable<SourceItem | { reason: string; location: string; found: string }>,
) {
  const pages: Record<string, Read> = {};
  for await (const item of items)
    if (!("reason" in item)) {
      const text = new TextDecoder().decode(await item.read(PARSING));
      const { faults = [], plain } = item;
      const page = item.parsed?.() ?? (await HERE.read(pageToRead(item, text, PARSING.anchors)));
      pages[item.location] = { text, faults, page, isMade: plain !== undefined };
    }
  return pages;
}

const readHere = new Map<string, ReturnType<typeof readAll>>();
/** A recorded site as it is read in this process, once for all that compare it. */
const recordedHere = (name: string) => {
  const known = readHere.get(name) ?? readAll(itemsOf(recordedFiles(name)));
  readHere.set(name, known);
  return known;
};

/** How pages of sites get the better of the process: one never ends, which takes the test the time that it has. */
const wayOf = (name: string) => (name === "mkdocs" ? "hang" : "leave");

/** A word of a page's text, behind what stands in front of it. */
const wordIn = (text = "") =>
  /\p{L}{2,}/u.exec(text.replace(/^---\n[\s\S]*?\n---(?:\n|$)|<[^>]*>/g, ""))?.[0];

const FALLEN =
  /(?:takes more than 1\.5 seconds|ends the process that is) to make Markdown of: its words are kept as plain text$/;

describe("what adapters and formats make Markdown of is made in a process of its own", () => {
  test.each(RECORDED_SITES)("as it would be in this one, of a site of %s", async (name) => {
    expect(await readAll(itemsOf(recordedFiles(name), program()))).toEqual(await recordedHere(name));
  });

  test.each(Object.entries(MADE_SITES))(
    "as it would be in this one, of %s; and a page that ends that process has its words and says so, while its neighbours are read whole",
    async (_, { files, page, words }) => {
      const own = await readAll(itemsOf(files));
      expect(await readAll(itemsOf(files, program()))).toEqual(own);
      const { [page]: fallen, ...others } = await readAll(itemsOf(files, overcome("leave", page)));
      const { [page]: whole, ...ownOthers } = own;
      expect(whole?.isMade).toBe(true);
      expect(fallen?.text).toContain(words);
      expect(fallen?.faults.at(-1)).toMatch(FALLEN);
      expect(Object.keys(others)).not.toEqual([]);
      expect(others).toEqual(ownOthers);
    },
  );

  test.each(RECORDED_SITES)(
    "and a page of a site of %s that ends that process, or never ends, has its words and says so, while its neighbours are read whole",
    async (name) => {
      const files = recordedFiles(name);
      const own = await recordedHere(name);
      const page = Object.keys(own).findLast((at) => own[at]?.isMade && wordIn(files[at])) ?? "";
      const there = await readAll(itemsOf(files, overcome(wayOf(name), page, { pageMs: 1_500 })));
      const { [page]: fallen, ...others } = there;
      const { [page]: _, ...ownOthers } = own;
      expect(fallen?.faults.at(-1)).toMatch(FALLEN);
      expect(fallen?.text).toContain(wordIn(files[page]) ?? "a page with words");
      expect(others).toEqual(ownOthers);
    },
  );

  test("and parsed there at once, but for one that the index may hold as it is", async () => {
    const files: Files = { "a.org": "* A\nWords.\n", "b.org": "* B\nOthers.\n" };
    const parsing: Parsing = { ...PARSING, mayBeHeld: ({ location }) => location === "b.org" };
    const listed: SourceItem[] = [];
    const own: SourceItem[] = [];
    for await (const item of itemsOf(files)) if (!isSkipped(item)) own.push(item);
    for await (const item of itemsOf(files, program())) {
      if (isSkipped(item)) continue;
      await item.read(parsing);
      listed.push(item);
    }
    for (const item of own) await item.read(parsing);
    const said = (items: SourceItem[]) =>
      items.map((item) => [item.location, item.parsed?.()?.title, item.authored?.()]);
    expect(said(listed)).toEqual([
      ["a.org", "A", undefined],
      ["b.org", undefined, { format: "org", text: "* B\nOthers.\n" }],
    ]);
    expect(said(own).map(([, title]) => title)).toEqual([undefined, undefined]);
  });

  test("and a second run takes a page as it is that has not changed, and reads one that has", async () => {
    const { files } = MADE_SITES["Org"] ?? { files: {} };
    using it = await openIngestSite();
    const run = (now: Files) => it.run({ list: () => itemsOf(now, program()) });
    await run(files);
    expect(await it.decisions()).toEqual({ "a.org": "added", "b.org": "added" });
    await run({ ...files, "b.org": "* B\nNew words.\n" });
    expect(await it.decisions()).toEqual({ "a.org": "unchanged", "b.org": "changed" });
    expect(await it.page("a")).toEqual([expect.stringContaining("Own words.")]);
    expect(await it.page("b")).toEqual([expect.stringContaining("New words.")]);
  });

  test("and whom a page is for, and that it is hidden, stays where only its words do", async () => {
    const front = "---\ntitle: A\ngroups: [staff]\nnoindex: true\n---\n";
    const hexo = { ...MADE_SITES["Hexo"]?.files, "source/a.md": `${front}Own words.\n` };
    const { "source/a.md": page } = await readAll(itemsOf(hexo, overcome("leave", "source/a.md")));
    expect(page?.text).toContain('{"title":"A","groups":["staff"],"noindex":true}');
    const org = { "a.org": "#+FILETAGS: :noexport:\nOwn words.\n" };
    const { "a.org": hidden } = await readAll(itemsOf(org, overcome("leave", "a.org")));
    expect(hidden?.text).toContain('{"noindex":true}');
  });

  test("while this process does other things", async () => {
    const { files, page } = MADE_SITES["Org"] ?? { files: {}, page: "" };
    for await (const item of itemsOf(files, overcome("hang", page, { pageMs: 300 }))) {
      if (isSkipped(item) || item.location !== page) continue;
      const read = item.read().then(() => "read");
      expect(await Promise.race([read, Bun.sleep(0).then(() => "other things")])).toBe("other things");
      expect(await read).toBe("read");
    }
  });

  test("and a page that was made of others, of which it is known that they are for fewer, does not list them there either", async () => {
    const files = recordedFiles("docusaurus");
    const access = createAccessRules();
    access.add("docs/_access.yml", new TextEncoder().encode('"**/*.md": [staff]\n"**/*.mdx": [staff]\n'));
    const own = await readAll(itemsOf(files, undefined, { access }));
    expect(own).not.toEqual(await readAll(itemsOf(files)));
    expect(await readAll(itemsOf(files, program(), { access }))).toEqual(own);
  });

  test("and where the files cannot even be looked through there, every page that would be made has its words", async () => {
    const files = { "a.org": "Own *words*.\n", "b.org": "Others.\n", "c.md": "# As it is\n" };
    // The processor's time is bounded for looking through alone: words are written here, for as long as it takes.
    const apart = createMadeApart({
      command: [...OVERCOME, "hang-before"],
      ...BOUNDS,
      bounds: { clockMs: 500, computedMs: 50 },
      wordsOf: async (plain) => wordsShape.parse(decoded(answerWords(encoded(plain)))),
      whyOf: (ending) => ending,
    });
    const pages = await readAll(itemsOf(files, apart));
    const why =
      "lies among files that take too long, or too much memory, to be looked through again: its words are kept as plain text";
    expect(pages["a.org"]).toMatchObject({ text: expect.stringContaining("Own \\*words\\*"), faults: [why] });
    expect(pages["b.org"]).toMatchObject({ text: expect.stringContaining("Others"), faults: [why] });
    expect(pages["c.md"]).toMatchObject({ text: "# As it is\n", faults: [] });
  });

  test("and a file that cannot be read is said, whether it is the page or a part of it", async () => {
    const site = { "mkdocs.yml": "site_name: A\nmarkdown_extensions: [pymdownx.snippets]\n" };
    const files = {
      ...site,
      "docs/index.md": '# A\n\n--8<-- "part.md"\n',
      "docs/b.md": "# B\n",
      "part.md": "",
    };
    const said = async (apart?: ReadApart) => {
      const all: unknown[] = [];
      for await (const item of itemsOf(files, apart, { broken: ["part.md", "docs/b.md"] }))
        if (isSkipped(item)) all.push(item);
        else all.push(await item.read().then(String, (error: unknown) => error));
      return all;
    };
    const own = await said();
    expect(own).toContainEqual(new AppError("unavailable", "docs/b.md is on another disk."));
    expect(own).toContainEqual(expect.objectContaining({ location: "part.md", reason: "failed" }));
    expect(await said(program())).toEqual(own);
  });

  test("and so is a page of a tar that is too large to be held", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "docs.tar");
    const parts = [
      { name: "a.org", text: "* A\nOwn words.\n" },
      { name: "b.pod", text: "=head1 NAME\n\nOthers.\n" },
      { name: "c.adoc", text: "= C\n\nOthers.\n" },
      { name: "d.1", text: ".TH D 1\n.SH NAME\nd \\- others\n" },
      { name: "e.md", text: "As it is.\n" },
    ];
    await Bun.write(file, tarBytes(parts));
    const list = (apart?: ReadApart) =>
      readAll(
        createArchiveReader({ file, fileBytesMax: 10_000, heldBytesMax: 1, apart }).list(listContext()),
      );
    const own = await list();
    expect(Object.keys(own)).toEqual(["a.org", "b.pod", "c.adoc", "d.1", "e.md"]);
    expect(await list(program())).toEqual(own);
    const { "a.org": fallen, ...others } = await list(overcome("leave", "a.org"));
    const { "a.org": _, ...ownOthers } = own;
    expect(fallen?.text).toContain("Own words");
    expect(fallen?.faults.at(-1)).toMatch(FALLEN);
    expect(others).toEqual(ownOthers);
  });

  test("and the ledger says of the page, and of no other, that its words are kept as plain text", async () => {
    const { files, page } = MADE_SITES["MediaWiki"] ?? { files: {}, page: "" };
    const it = await openIngestSite();
    await it.run({ list: () => itemsOf(files, overcome("leave", page)) });
    const entries = await it.storage.ledger.entries((await it.sourceOf()).id);
    expect(
      entries.map(({ location, decision, reason, detail }) => [location, decision, reason, detail]),
    ).toEqual([
      [page, "added", "parse_fault", expect.stringMatching(FALLEN)],
      ["dump.xml#Two", "added", undefined, undefined],
    ]);
  });
});
