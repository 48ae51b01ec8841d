import { posix } from "node:path";
import { AppError } from "@docent/kernel/errors";
import {
  createReadingProcess,
  type Ending,
  type ProcessOptions,
  type TimeBounds,
} from "../reading-process/reading-process.ts";
import type { PlainText } from "../source-reader.ts";
import type {
  MadePage,
  OpenTree,
  PageOfTree,
  ReadApart,
  ReadableFile,
  TreeApart,
} from "../sources/files/files.ts";
import { decoded } from "./json-bytes.ts";
import { type AskedPage, type AskedTree, FILE_CALL, IS_CONTENT, madeShape, withFiles } from "./made-shape.ts";

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
    isShortLived: true,
    loading: {
      head: { tree: true },
      get body() {
        return withFiles(askedOf(tree, now), files.takeRead());
      },
      bounds: {
        clockMs: bounds.clockMs * OPENING_TIMES,
        computedMs: bounds.computedMs * OPENING_TIMES,
      },
      memoryBytesMax: options.memoryBytesMax * OPENED_TIMES,
      answer: files.answer,
      onEnding() {
        isClosed = true;
      },
    },
  });
  const { signal } = tree;
  async function make(page: PageOfTree): Promise<MadePage | Ending> {
    const { alone, ...place } = page;
    const asked: AskedPage = { ...place, aloneAs: alone?.format };
    const body = withFiles(asked, await files.ownOf(page, tree.subfolder));
    const said = await process.ask({ head: { made: true }, body, bounds, signal, answer: files.answer });
    if (typeof said === "string") return said;
    const read = madeShape.safeParse(decoded(said));
    if (!read.success) return "itself";
    if ("failed" in read.data) throw files.why() ?? new AppError(read.data.code, read.data.failed);
    const { content, ...made } = read.data;
    return { ...made, content: "text" in content ? new TextEncoder().encode(content.text) : content.base64 };
  }
  return {
    tree: files.tree,
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
    end() {
      files.takeRead();
      process.end();
    },
  };
}

/** How much is held of what was read before the process is there, which needs the same. */
const READ_BYTES_MAX = 30_000_000;

/** The files of a tree for the process that asks for them, and those that could not be read. */
function createFiles({ files, others }: Pick<TreeApart, "files" | "others">) {
  const byLocation = new Map([...others, ...files].map((file) => [file.location, file]));
  const unread = new Map<string, unknown>();
  let last: unknown;
  let read: Map<string, Uint8Array> | undefined = new Map();
  let readBytes = 0;

  const noting = (file: ReadableFile): ReadableFile => ({
    ...file,
    async read() {
      const content = await file.read();
      if (read !== undefined && !read.has(file.location) && readBytes + content.length <= READ_BYTES_MAX) {
        readBytes += content.length;
        read.set(file.location, content);
      }
      return content;
    },
  });
  const contentOf = async (location: string): Promise<Uint8Array> => {
    try {
      const content = await byLocation.get(location)?.read();
      if (content === undefined) throw new AppError("not_found", `${location} is not in this source.`);
      unread.delete(location);
      return content;
    } catch (error) {
      last = error;
      unread.set(location, error);
      throw error;
    }
  };
  return {
    /** The same files, of which is known what was read. */
    tree: { files: files.map(noting), others: others.map(noting) },
    /** What was read since the tree was opened. */
    takeRead() {
      const taken = read ?? new Map<string, Uint8Array>();
      read = undefined;
      return taken;
    },
    unread: (): ReadonlyMap<string, unknown> => unread,
    /** Why the last file could not be read that could not. */
    why: () => last,
    /** What a page's own file holds, where it has one that can be read. */
    async ownOf({ location, alone }: PageOfTree, subfolder = ""): Promise<Map<string, Uint8Array>> {
      if (alone !== undefined) return new Map([[location, await alone.read()]]);
      const place = posix.join(subfolder, location);
      const content = byLocation.has(place) ? await contentOf(place).catch(() => undefined) : undefined;
      return content === undefined ? new Map() : new Map([[place, content]]);
    },
    async answer(name: string, given: Uint8Array) {
      if (name !== FILE_CALL) throw new Error(`nobody answers ${name}`);
      try {
        return flagged(IS_CONTENT, await contentOf(new TextDecoder().decode(given)));
      } catch (error) {
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
