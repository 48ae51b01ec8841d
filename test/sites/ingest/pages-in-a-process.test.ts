import { describe, expect, test } from "bun:test";
import { ownAsciidoc } from "../../../src/reading/markdown/asciidoc/asciidoc.ts";
import { openPageReading, type PageToRead } from "../../../src/reading/page-reading/page-reading.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { PROGRAM } from "../../helpers/program.ts";

const BOUNDS = { environment: process.env, pageMs: 20_000, memoryBytesMax: 1_000_000_000 };
const PAGE: PageToRead = {
  source: "---\ntitle: Limits\ngroups: [staff]\n---\n# Limits\n\nAt most *ten* `keys_a`.\n",
  fallbackTitle: "limits",
  format: "md",
  anchors: "github",
  keepsImages: false,
  around: undefined,
};

const program = () => openPageReading({ command: [...PROGRAM, "read-documents"], ...BOUNDS });
const OVERCOME = await bundledProgram("overcome-page-reader.ts");
/** A reader that a page gets the better of, in some way. */
const overcome = (way: string, bounds: Partial<typeof BOUNDS> = {}) =>
  openPageReading({
    command: [...OVERCOME, way],
    ...BOUNDS,
    ...bounds,
  });

describe("a page is read in a process of its own", () => {
  test("as it would be read in this one, of every kind of format, with what lies around it", async () => {
    const here = openPageReading({ command: undefined, ...BOUNDS });
    const there = program();
    const words = new Set(["words"]);
    const around = { folder: "a", leftOut: new Set(["a/gone.html"]), shared: undefined };
    const shared = { blocks: words, headings: words, titles: words };
    const html = '<title>T</title><main><h1>T</h1><p>words</p><p><a href="gone.html">gone</a></p></main>';
    for (const page of [
      PAGE,
      { ...PAGE, format: "rst", source: "Title\n=====\n\nWords.\n" } as const,
      { ...PAGE, format: "html", source: html, around: { ...around, shared } } as const,
      { ...PAGE, format: "html", source: html, around } as const,
      { ...PAGE, source: "" },
    ])
      expect(await there.read(page)).toEqual(await here.read(page));
  });

  test("and one that never ends, takes all memory or ends that process has its words, title and groups, and says so", async () => {
    for (const [way, why] of [
      ["hang", "takes more than 1 seconds to read as md: its words are kept as plain text"],
      ["eat", "takes more than 300 MB of memory to read as md: its words are kept as plain text"],
      ["leave", "ends the process that is to read as md: its words are kept as plain text"],
    ] as const) {
      const bounds = { pageMs: way === "hang" ? 1_000 : 20_000, memoryBytesMax: 300_000_000 };
      const read = await overcome(way, bounds).read(PAGE);
      expect(read).toMatchObject({
        title: "Limits",
        frontMatter: { groups: ["staff"] },
        passages: [{ text: "# Limits\nAt most *ten* `keys_a`." }],
        faults: [why],
      });
    }
  });

  test("and where even its words cannot be had, nothing is said of it", async () => {
    expect(await overcome("hang-always", { pageMs: 200 }).read(PAGE)).toEqual({
      unreadable: "takes more than 0.2 seconds to read as md",
    });
  });

  test("and the time that counts is what processors worked for it, where the system tells", async () => {
    if (process.platform !== "linux") return;
    expect(await overcome("sleep", { pageMs: 500 }).read(PAGE)).toMatchObject({
      title: "Limits",
      faults: [],
    });
  });
});

describe("AsciiDoc is read in a process of its own", () => {
  const SOURCE =
    "---\ngroups: [staff]\n---\n= Limits\n:a: b\n\nAt most *ten*, see xref:more.adoc[], <<gone>> and image:p.png[p].\n\n// c\ninclude::part.adoc[]\n";
  const place = () => ({
    location: "a/limits.adoc",
    attributes: { b: "c", d: null, e: false as const },
    include: async (target: string, from: string) =>
      target === "part.adoc" ? { location: `a/${target}`, text: `From ${from}.` } : "is not there",
    links: {
      page: ({ target }: { target: string }) =>
        target === "more.adoc" ? { href: "/more", text: "More" } : undefined,
      missing: (anchor: string) => ({ href: `/${anchor}`, text: "Gone" }),
      image: (target: string) => `/pictures/${target}`,
    },
  });

  test("as it would be read in this one, with what it asks for", async () => {
    const { asciidoc } = program();
    const own = await ownAsciidoc.page(SOURCE, place());
    const there = await asciidoc.page(SOURCE, place());
    // The library's own attributes tell the time.
    expect({ ...there, attributes: there.attributes.get("a") }).toEqual({ ...own, attributes: "b" });
    expect(own.markdown).toContain("[More](/more)");
    expect(own.markdown).toContain("From a/limits.adoc.");
    const menu = ".Title\n* link:a[A]\n** B\n";
    expect(await asciidoc.lists(menu, place())).toEqual(await ownAsciidoc.lists(menu, place()));
    const { links: _, ...alone } = place();
    const { markdown } = await ownAsciidoc.page(SOURCE, alone);
    expect(await asciidoc.page(SOURCE, alone)).toMatchObject({ markdown, faults: own.faults });
  });

  test("and a page for which the library takes too long has its words and its groups, and says so", async () => {
    const { asciidoc } = openPageReading({
      command: [...PROGRAM, "read-documents"],
      ...BOUNDS,
      pageMs: 1_000,
    });
    const took = ":::\n".repeat(5_000);
    expect(await asciidoc.page(`---\ngroups: [staff]\n---\nwords\n\n${took}`, place())).toMatchObject({
      data: { groups: ["staff"] },
      markdown: expect.stringContaining("words"),
      faults: [`takes more than 1 seconds to read as AsciiDoc: its words are kept as plain text`],
    });
    expect(await asciidoc.page(SOURCE, place())).toMatchObject({ faults: [] });
  });
});
