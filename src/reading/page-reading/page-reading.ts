import { type PageWriter, writeHere } from "../connectors/connectors.ts";
import { type AsciidocReader, ownAsciidoc } from "../markdown/asciidoc/asciidoc.ts";
import {
  type Call,
  createReadingProcess,
  type Ending,
  type ProcessOptions,
} from "../reading-process/reading-process.ts";
import type { PlainText, ReadWords } from "../source-reader.ts";
import type { ReadApart } from "../sources/files/files.ts";
import type { Maker } from "./answer-made.ts";
import { createAsciidocReading } from "./asciidoc-reading.ts";
import { decoded, encoded } from "./json-bytes.ts";
import { createMadeApart } from "./made-apart.ts";
import { pageShape, wordsShape, writeAsked } from "./page-shape.ts";
import { createPageWriting } from "./page-writing.ts";
import { type PageToRead, readHere } from "./read-here.ts";

export { answerAsciidoc } from "./answer-asciidoc.ts";
export type { Maker } from "./answer-made.ts";
export { answerRendered } from "./answer-rendered.ts";
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
  const reading = createReadingProcess({ command, ...options, loading });
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
