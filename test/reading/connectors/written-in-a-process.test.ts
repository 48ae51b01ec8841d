import { describe, expect, test } from "bun:test";
import { RENDERING_KINDS } from "../../../src/reading/connectors/connectors.ts";
import { openPageReading } from "../../../src/reading/page-reading/page-reading.ts";
import type { WikiServer } from "../../contract/connector.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { PROGRAM } from "../../helpers/program.ts";
import { readConnected } from "./read-connected.ts";
import { startBookStack } from "./servers/bookstack.ts";
import { startConfluence } from "./servers/confluence.ts";
import { startConfluenceCloud } from "./servers/confluence-cloud.ts";
import { startDokuWiki } from "./servers/dokuwiki.ts";
import { startMediaWiki } from "./servers/mediawiki.ts";
import { startWikiJs } from "./servers/wikijs.ts";
import { startXWiki } from "./servers/xwiki.ts";

const BOUNDS = { environment: process.env, pageMs: 20_000, memoryBytesMax: 1_000_000_000 };
const program = openPageReading({ command: [...PROGRAM, "read-documents"], ...BOUNDS }).write;
const OVERCOME = await bundledProgram("overcome-maker.ts");
/** A program that a page with this word in it gets the better of. */
const overcome = (way: string, word: string, pageMs = BOUNDS.pageMs) =>
  openPageReading({
    command: [...OVERCOME, way, word],
    ...BOUNDS,
    pageMs,
  }).write;

type Server = readonly [string, (typeof RENDERING_KINDS)[number], () => WikiServer | Promise<WikiServer>];

/** Of whom a page never ends, too, which takes a second and a half of a processor: one bound ends all alike. */
const HANGING: Server = ["bookstack", "bookstack", () => startBookStack()];

const SERVERS: readonly Server[] = [
  HANGING,
  ["confluence", "confluence", () => startConfluence()],
  ["confluence in the cloud", "confluence", () => startConfluenceCloud()],
  ["dokuwiki", "dokuwiki", () => startDokuWiki()],
  ["mediawiki", "mediawiki", () => startMediaWiki()],
  ["wikijs", "wikijs", () => startWikiJs()],
  ["xwiki", "xwiki", () => startXWiki()],
];

/** A server with a page that is to be overcome, and two beside it, of which one leads to it. */
async function filled(start: () => WikiServer | Promise<WikiServer>): Promise<WikiServer> {
  const server = await start();
  server.put({ title: "Bridges", words: "Overwhelming words about bridges", showsImage: true });
  server.put({ title: "Rivers", words: "Words about rivers", linksTo: "Bridges" });
  server.put({ title: "Lakes", words: "Words about lakes" });
  return server;
}

describe("a page that a server shows as HTML is made Markdown in a process of its own", () => {
  test("whatever kind of server it is of", () => {
    expect(new Set(SERVERS.map(([, kind]) => kind))).toEqual(new Set(RENDERING_KINDS));
  });

  test.each(SERVERS.map((server) => [...server] as const))(
    "as it would be in this one, of %s, with the links to other pages",
    async (_, kind, start) => {
      await using server = await filled(start);
      const own = await readConnected(kind, server);
      expect(own.textOf("Rivers")).toMatch(/\]\(http:\/\/127\.0\.0\.1:\d+\/[^)]*\)/);
      const there = await readConnected(kind, server, { write: program });
      expect(there.error).toBeUndefined();
      expect(there.texts).toEqual(own.texts);
    },
  );

  test.each([
    ...SERVERS.map((server) => ["ends", ...server] as const),
    ["does not end", ...HANGING] as const,
  ])(
    "and one that %s that process, of %s, has its words and says so, while others are read whole",
    async (ending, _, kind, start) => {
      await using server = await filled(start);
      const own = await readConnected(kind, server);
      const [write, why] =
        ending === "ends"
          ? [overcome("leave", "Overwhelming"), "ends the process that is"]
          : [overcome("hang", "Overwhelming", 1_500), "takes more than 1.5 seconds"];
      const there = await readConnected(kind, server, { write });
      expect(there.error).toBeUndefined();
      expect(Object.values(there.texts).join("\n")).toContain("Overwhelming words about bridges");
      const faults = Object.values(there.items).flatMap((item) => item.faults ?? []);
      expect(faults).toEqual([`${why} to make Markdown of: its words are kept as plain text`]);
      for (const title of ["Rivers", "Lakes"]) expect(there.textOf(title)).toBe(own.textOf(title));
    },
  );

  test("and so is the title of a page that MediaWiki dresses in HTML: one that ends that process has the name that it is listed by", async () => {
    await using server = await filled(startMediaWiki);
    const { items, textOf } = await readConnected("mediawiki", server, {
      write: overcome("leave", "mw-page-title-main"),
    });
    expect(Object.values(items).map(({ faults }) => faults?.length)).toEqual([1, 1, 1]);
    expect(textOf("Rivers")).toContain('"title":"Rivers"');
  });
});
