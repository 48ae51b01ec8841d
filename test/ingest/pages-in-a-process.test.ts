import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openPageReading, type PageToRead } from "../../src/ingest/page-reading/page-reading.ts";
import { PROGRAM } from "../helpers/program.ts";

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
/** A reader that a page gets the better of, in some way. */
const overcome = (way: string, bounds: Partial<typeof BOUNDS> = {}) =>
  openPageReading({
    command: [process.execPath, join(import.meta.dir, "../helpers/overcome-page-reader.ts"), way],
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
      ["hang", "takes more than 0.2 seconds to read as md: its words are kept as plain text"],
      ["eat", "takes more than 300 MB of memory to read as md: its words are kept as plain text"],
      ["leave", "ends the process that is to read as md: its words are kept as plain text"],
    ] as const) {
      const bounds = { pageMs: way === "hang" ? 200 : 20_000, memoryBytesMax: 300_000_000 };
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
    expect(await overcome("sleep", { pageMs: 200 }).read(PAGE)).toMatchObject({
      title: "Limits",
      faults: [],
    });
  });
});
