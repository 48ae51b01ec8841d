import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import {
  type PageWriter,
  RENDERING_KINDS,
  type RenderedPage,
  type WrittenPage,
  writeHere,
} from "../connectors/connectors.ts";
import { type AsciidocReader, ownAsciidoc } from "../markdown/asciidoc/asciidoc.ts";
import {
  type Call,
  createReadingProcess,
  type Ending,
  type ProcessOptions,
  type ReadingProcess,
  type TimeBounds,
} from "../reading-process/reading-process.ts";
import type { PlainText, ReadWords } from "../source-reader.ts";
import type { ReadApart } from "../sources/files/files.ts";
import type { Maker } from "./answer-made.ts";
import { createAsciidocReading } from "./asciidoc-reading.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { createMadeApart } from "./made-apart.ts";
import { pageShape, wordsShape, writeAsked } from "./page-shape.ts";
import { type PageToRead, readHere } from "./read-here.ts";

/** A page as its server shows it, as this process says it to the other. */
const renderedShape = z.object({
  kind: z.enum(RENDERING_KINDS),
  html: z.string(),
  titleHtml: z.string().optional(),
  address: z.string(),
  hasWordyIds: z.boolean().optional(),
  /** The titles of pages can be looked up as well. */
  hasTitles: z.boolean(),
});

const writtenShape: z.ZodType<WrittenPage> = z.object({
  title: z.string().optional(),
  markdown: z.string(),
  faults: z.array(z.string()),
});

/** What the other process asks: what is known of pages by their addresses, and in that order the replies. */
const LISTED_CALL = "listed";
const lookupsShape = z.array(z.tuple([z.enum(["pageAt", "titleAt"]), z.string(), z.string().nullable()]));
type Lookup = z.infer<typeof lookupsShape>[number];
const listedShape = z.array(z.string().nullable());

export type { Maker } from "./answer-made.ts";
export { answerAsciidoc } from "./asciidoc-reading.ts";
export { answerPage, answerWords, type PageToRead, pageToRead } from "./read-here.ts";

/** Completes "<location> …": why nothing can be said of a page. */
export interface Unreadable {
  unreadable: string;
}

/** Reads pages: their text becomes Markdown, sections and passages. */
export interface PageReading {
  read(page: PageToRead): Promise<ReadWords | Unreadable>;
  /** What is AsciiDoc is made Markdown before, by a library for which a page can be made that takes it very long. */
  asciidoc: AsciidocReader;
  /** Makes what adapters know of files Markdown; undefined where this process does. */
  apart: ReadApart | undefined;
  /** Makes Markdown of pages as their servers show them. */
  write: PageWriter;
}

interface PageReadingOptions extends Omit<ProcessOptions, "command"> {
  /** The command that starts this program to read pages; without it they are read in this process, for as long as it takes. */
  command: readonly string[] | undefined;
  /** How long a processor may work for one page. */
  pageMs: number;
}

/** A machine that does much else, or sleeps, is given more time by its clock. */
const CLOCK_TIMES = 10;
/** How long the program may take to start. */
const LOADING_MS = 60_000;

/** Opens what reads pages: in a process of their own, which a page that was made never to end ends alone. */
export function openPageReading({ command, ...options }: PageReadingOptions): PageReading {
  if (command === undefined) return createOwnPageReading();
  const { pageMs } = options;
  const bounds = { clockMs: pageMs * CLOCK_TIMES, computedMs: pageMs };
  const head = { page: true };
  const loading = { head, bounds: { clockMs: LOADING_MS } };
  const reading = createReadingProcess({ command, ...options, loading, isShortLived: true });
  const ask = async (page: PageToRead, isPlain: boolean) => {
    const body = new TextEncoder().encode(writeAsked(page, isPlain));
    const said = await reading.ask({ head, body, bounds });
    if (typeof said === "string") return said;
    return pageShape.safeParse(decoded(said)).data ?? "itself";
  };
  const wordsOf = async (plain: PlainText) => {
    const body = encoded(plain);
    const said = await reading.ask({ head: { words: true }, body, bounds });
    return typeof said === "string" ? undefined : wordsShape.safeParse(decoded(said)).data;
  };
  const whyOf = (ending: Ending) => WHY[ending](options);
  return {
    asciidoc: createAsciidocReading(reading, bounds, whyOf),
    write: createPageWriting({ reading, bounds, whyOf, wordsOf }),
    apart: createMadeApart({ command, ...options, bounds, wordsOf, whyOf }),
    async read(page) {
      const read = await ask(page, false);
      if (typeof read !== "string") return read;
      const why = `${whyOf(read)} to read as ${page.format}`;
      const plain = await ask(page, true);
      if (typeof plain === "string") return { unreadable: why };
      return { ...plain, faults: [`${why}: its words are kept as plain text`] };
    },
  };
}

const WHY = {
  time: ({ pageMs }: { pageMs: number }) => `takes more than ${pageMs / 1000} seconds`,
  memory: ({ memoryBytesMax }: { memoryBytesMax: number }) =>
    `takes more than ${Math.round(memoryBytesMax / 1_000_000)} MB of memory`,
  itself: () => "ends the process that is",
};

/** Opens the files of a source to make pages of; what that takes is loaded where it is asked for alone. */
export async function openMaker(body: Uint8Array, call: Call): Promise<Maker> {
  const answers = await import("./answer-made.ts");
  return answers.openMaker(body, call);
}

/** Reads them in this process, where nothing bounds what a page costs that was made to harm. */
export const createOwnPageReading = (): PageReading => ({
  read: async (page) => readHere(page),
  asciidoc: ownAsciidoc,
  apart: undefined,
  write: writeHere,
});

/** What a page asks for depends on what it was told at most so often. */
const ROUNDS_MAX = 4;

/**
 * Makes Markdown of a page as its server shows it. Where its links lead is known to the process that asks for it: the page is
 * written once to learn what it has to know, and once more with that.
 */
export async function answerRendered(body: Uint8Array, call: Call): Promise<Uint8Array> {
  const { kind, hasTitles, ...page } = renderedShape.parse(decoded(body));
  const known = new Map<string, string | undefined>();
  for (let round = 0; ; round++) {
    const asked = new Map<string, Lookup>();
    const look = (...lookup: Lookup) => {
      const key = JSON.stringify(lookup);
      if (!known.has(key)) asked.set(key, lookup);
      return known.get(key);
    };
    const rendered: RenderedPage = {
      ...page,
      pageAt: (address, linkedId) => look("pageAt", address, linkedId ?? null),
      ...(hasTitles && { titleAt: (address: string) => look("titleAt", address, null) }),
    };
    const written: WrittenPage = await writeHere(kind, rendered);
    if (asked.size === 0 || round >= ROUNDS_MAX) return encoded(written);
    const said = listedShape.parse(decoded(await call(LISTED_CALL, encoded([...asked.values()]))));
    for (const [index, key] of [...asked.keys()].entries()) known.set(key, said[index] ?? undefined);
  }
}

interface PageWritingOptions {
  reading: ReadingProcess;
  bounds: TimeBounds;
  whyOf(ending: Ending): string;
  /** No more than the words of a text; undefined where even these cannot be had. */
  wordsOf(plain: PlainText): Promise<{ markdown: string } | undefined>;
}

/** Makes Markdown, in another process, of pages as their servers show them. */
const createPageWriting =
  ({ reading, bounds, whyOf, wordsOf }: PageWritingOptions): PageWriter =>
  async (kind, page) => {
    const { html, titleHtml, address, hasWordyIds, titleAt } = page;
    const said = await reading.ask({
      head: { rendered: true },
      body: encoded({ kind, html, titleHtml, address, hasWordyIds, hasTitles: titleAt !== undefined }),
      bounds,
      answer: async (name, given) => encoded(name === LISTED_CALL ? lookedUp(page, given) : []),
    });
    const written = typeof said === "string" ? undefined : writtenShape.safeParse(decoded(said)).data;
    if (written !== undefined) return written;
    const why = `${whyOf(typeof said === "string" ? said : "itself")} to make Markdown of`;
    const words = await wordsOf({ text: html, format: "html" });
    if (words === undefined) throw new AppError("too_large", why);
    return { markdown: words.markdown, faults: [`${why}: its words are kept as plain text`] };
  };

const lookedUp = ({ pageAt, titleAt }: RenderedPage, given: Uint8Array) =>
  lookupsShape
    .parse(decoded(given))
    .map(([name, address, linkedId]) =>
      name === "pageAt" ? pageAt(address, linkedId ?? undefined) : titleAt?.(address),
    )
    .map((found) => found ?? null);
