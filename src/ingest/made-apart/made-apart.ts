import { AppError } from "../../errors.ts";
import { jsonIn } from "../../text/json.ts";
import {
  createReadingProcess,
  type Ending,
  type ProcessOptions,
  type TimeBounds,
} from "../reading-process/reading-process.ts";
import type { PlainText } from "../source-reader.ts";
import type { MadePage, OpenTree, PageOfTree, ReadApart, TreeApart } from "../sources/files/files.ts";
import { type AskedPage, type AskedTree, encoded, FILE_CALL, IS_CONTENT, madeShape } from "./made-shape.ts";

export { type Maker, openMaker } from "./answer-made.ts";

interface MadeApartOptions extends Omit<ProcessOptions, "loading" | "idleMs"> {
  /** How long a page may take. */
  bounds: Required<TimeBounds>;
  /** No more than the words of a text; undefined where even these cannot be had. */
  wordsOf(plain: PlainText): Promise<{ data: Record<string, unknown>; markdown: string } | undefined>;
  /** Completes "<location> …": why nothing came. */
  whyOf(ending: Ending): string;
}

/** All files of a source are looked through before its first page is made, which this process has done by then, too. */
const OPENING_TIMES = 10;
/** A dump of a wiki is held whole. */
const OPENED_TIMES = 4;
/** A run may store what was read for long before it goes on. */
const IDLE_MS = 600_000;
const OPENED = "lies among files that take too long, or too much memory, to be looked through again";

/** Makes pages of the files of sources, each source's in a process of its own, which has what a page needs of the others. */
export const createMadeApart = (options: MadeApartOptions): ReadApart => ({
  open: (tree) => openTree(tree, options),
});

function openTree(tree: TreeApart, { bounds, wordsOf, whyOf, ...options }: MadeApartOptions): OpenTree {
  const files = createFiles(tree);
  const now = tree.clock();
  let isClosed = false;
  const process = createReadingProcess({
    ...options,
    idleMs: IDLE_MS,
    loading: {
      head: { tree: true },
      get body() {
        return encoded(askedOf(tree, now));
      },
      bounds: {
        clockMs: bounds.clockMs * OPENING_TIMES,
        computedMs: bounds.computedMs * OPENING_TIMES,
      },
      memoryBytesMax: options.memoryBytesMax * OPENED_TIMES,
      answer: files.answering(),
      onEnding() {
        isClosed = true;
      },
    },
  });
  const { signal } = tree;
  async function make(page: PageOfTree): Promise<MadePage | Ending> {
    const { location, path, alone } = page;
    const body = encoded({ location, path, aloneAs: alone?.format } satisfies AskedPage);
    const answer = files.answering(alone?.read);
    const said = await process.ask({ head: { made: true }, body, bounds, signal, answer });
    if (typeof said === "string") return said;
    const read = madeShape.safeParse(decoded(said));
    if (!read.success) return "itself";
    if ("failed" in read.data) throw files.why() ?? new AppError(read.data.code, read.data.failed);
    const { content, ...made } = read.data;
    return { ...made, content: "text" in content ? new TextEncoder().encode(content.text) : content.base64 };
  }
  return {
    async read(page, plain) {
      const made = isClosed ? "time" : await make(page);
      if (typeof made !== "string") return made;
      const why = isClosed ? OPENED : `${whyOf(made)} to make Markdown of`;
      const text = await plain();
      const words = text && (await wordsOf(text));
      // Of what has no text of its own, no more is known.
      if (words === undefined) throw new AppError("too_large", why);
      // JSON is YAML.
      const content = new TextEncoder().encode(`---\n${JSON.stringify(words.data)}\n---\n${words.markdown}`);
      return { content, faults: [`${why}: its words are kept as plain text`] };
    },
    unread: files.unread,
    end: () => process.end(),
  };
}

/** The files of a tree for the process that asks for them, and those that could not be read. */
function createFiles({ files, others }: TreeApart) {
  const byLocation = new Map([...others, ...files].map((file) => [file.location, file]));
  const unread = new Map<string, unknown>();
  let last: unknown;
  return {
    unread: (): ReadonlyMap<string, unknown> => unread,
    /** Why the last file could not be read that could not. */
    why: () => last,
    /** `read` reads the one file that is asked for, where it is none of the tree's. */
    answering: (read?: () => Promise<Uint8Array>) => async (name: string, given: Uint8Array) => {
      if (name !== FILE_CALL) throw new Error(`nobody answers ${name}`);
      const location = new TextDecoder().decode(given);
      try {
        const content = await (read ?? byLocation.get(location)?.read)?.();
        if (content === undefined) throw new AppError("not_found", `${location} is not in this source.`);
        unread.delete(location);
        return flagged(IS_CONTENT, content);
      } catch (error) {
        last = error;
        unread.set(location, error);
        return flagged(0, new TextEncoder().encode(error instanceof Error ? error.message : String(error)));
      }
    },
  };
}

function flagged(flag: number, content: Uint8Array): Uint8Array {
  const whole = new Uint8Array(content.length + 1);
  whole[0] = flag;
  whole.set(content, 1);
  return whole;
}

const decoded = (bytes: Uint8Array) => jsonIn(new TextDecoder().decode(bytes));

function askedOf({ files, others, rules, documents, ...tree }: TreeApart, now: number): AskedTree {
  const { found, fileBytesMax, subfolder, version, siteUrl, answers } = tree;
  const listed = ({ location, sizeBytes }: { location: string; sizeBytes: number }) => ({
    location,
    sizeBytes,
  });
  return {
    found,
    fileBytesMax,
    documentBytesMax: documents.bytesMax,
    subfolder,
    version,
    siteUrl,
    answers: answers && { ...answers },
    now,
    files: files.map(listed),
    others: others.map(listed),
    rules: rules.map((note) =>
      "content" in note ? { ...note, content: Buffer.from(note.content).toString("base64") } : note,
    ),
  };
}
