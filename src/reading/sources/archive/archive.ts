import type { FileHandle } from "node:fs/promises";
import { AppError } from "@docent/kernel/errors";
import { type Clock, systemClock } from "@docent/kernel/lib/clock";
import { documentItem } from "../../document-process/documents.ts";
import { documentKindOf } from "../../documents/documents.ts";
import { mayHoldRestricted, mayHoldSite } from "../../generators/generators.ts";
import type { FoundDocs, ListContext, Skipped, SourceItem, SourceReader } from "../../source-reader.ts";
import { builtInTree } from "../built-folder.ts";
import {
  type AccessRules,
  boundsOf,
  bytesMaxOf,
  chooseFiles,
  elsewhere,
  type FileBounds,
  type FileFormat,
  type GivenBounds,
  IGNORE_FILE_BYTES_MAX,
  isHtmlName,
  isIgnoreFile,
  isImageName,
  isRuleFile,
  itemsOfTree,
  manualIn,
  mayBeDocbook,
  needsOthers,
  type OpenTree,
  type ReadableFile,
  RULE_FILE_BYTES_MAX,
  readAccessRules,
  ruleFaults,
  unpacked,
  WRITTEN_FILE,
  withoutIgnored,
  withRules,
} from "../files/files.ts";
import { type IsInside, openFile } from "../open-file.ts";
import { apiBeside, apiItems } from "../openapi/openapi.ts";
import { isAlone, itemAlone } from "./alone.ts";
import { type ArchiveEntry, tooLarge } from "./entry.ts";
import { formOf, openArchive, tarBytes } from "./open.ts";
import { readTar } from "./tar.ts";
import { type ArchiveFile, archiveTree } from "./tree.ts";
import { hasZipEntries, readZipDirectory, readZipEntry, type ZipEntry } from "./zip-file.ts";

const FOUND = "archive";
const TOTAL_BYTES_MAX = 4_000_000_000;

export { isAlone, itemAlone } from "./alone.ts";

interface ArchiveOptions extends GivenBounds {
  /** The version that is wanted, of docs in several. */
  version?: string | undefined;
  /** Where readers find the site. */
  siteUrl?: string | undefined;
  /** What the owner says of a generator's configuration. */
  answers?: Readonly<Record<string, string>> | undefined;
  /** A zip, a tar or a packed tar: its first bytes say which. */
  file: string;
  /** What messages call it; where it is, if not said. */
  name?: string;
  /** Whether a place may be read: asked each time that the file is opened. */
  isInside?: IsInside | undefined;
  /** How many bytes all of it may unpack to. */
  totalBytesMax?: number;
  /** How many bytes of a tar are held, so that its files can be read in any order. */
  heldBytesMax?: number;
  clock?: Clock;
}

interface Context
  extends Required<Omit<ArchiveOptions, "isInside" | "version" | "siteUrl" | "answers" | "apart">>,
    Pick<FileBounds, "apart">,
    Pick<ListContext, "onRecognized" | "onWritten"> {
  version: string | undefined;
  siteUrl: string | undefined;
  answers: ArchiveOptions["answers"];
  isInside: IsInside | undefined;
  handle: FileHandle;
  signal: AbortSignal;
}

/**
 * The pages of an archive. Nothing of it is written to the disk. A damaged archive ends the run before its first page,
 * as far as that can be known by then: of a tar all of it is read once before, of a zip its directory.
 */
export function createArchiveReader(options: ArchiveOptions): SourceReader {
  return {
    async *list({ signal, onRecognized, onWritten }) {
      const { file, name = file, version, siteUrl, answers, isInside } = options;
      const handle = await openArchive(file, name, isInside);
      try {
        const bounds = {
          totalBytesMax: TOTAL_BYTES_MAX,
          heldBytesMax: HELD_BYTES_MAX,
          clock: systemClock,
          ...options,
          ...boundsOf(options),
        };
        const context = {
          ...bounds,
          version,
          siteUrl,
          answers,
          isInside,
          name,
          handle,
          signal,
          onRecognized,
          onWritten,
        };
        const form = await formOf(handle, name);
        if (form === "zip") yield* zipItems(context);
        else yield* tarItems(context, form);
      } finally {
        await handle.close();
      }
    },
  };
}

async function* zipItems(context: Context): AsyncGenerator<SourceItem | Skipped> {
  const { file, isInside, totalBytesMax, handle, signal } = context;
  signal.throwIfAborted();
  const entries = await readZipDirectory(handle);
  const { files, others, rules, skipped } = archiveTree(entries, FOUND);
  const access = await readAccessRules(rules, async ({ index, refusal }) => {
    if (refusal !== undefined) throw new Error(refusal);
    const entry = entries[index];
    return entry && (await readZipEntry(() => openFile(file, isInside), entry));
  });
  const readable = ({ location, sizeBytes, index }: ArchiveFile): ReadableFile[] => {
    const entry = entries[index];
    if (entry === undefined) return [];
    const read = () => readZipEntry(() => openFile(file, isInside), entry);
    return [{ location, sizeBytes, validator: revisionOf(entry), read }];
  };
  const all = { files: files.flatMap(readable), others: others.flatMap(readable) };
  const tree = await withoutIgnored(all, ({ read }) => read());
  // Many entries may stand for the same bytes: it is what they unpack to that costs.
  const total = tree.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > totalBytesMax) throw tooLarge(`unpacks to more than ${totalBytesMax} bytes`);
  yield* skipped;
  yield* itemsWithNote(tree, context, access);
}

/** The pages of a tree; of docs that were built beside their source, a note says so. */
async function* itemsWithNote(
  tree: { files: ReadableFile[]; others: ReadableFile[] },
  context: Context,
  access: AccessRules,
): AsyncGenerator<SourceItem | Skipped> {
  let docs: FoundDocs | undefined;
  const onRecognized = (found: FoundDocs) => {
    docs = found.generator === undefined ? docs : found;
    context.onRecognized?.(found);
  };
  yield* itemsOfTree(tree, { ...context, onRecognized, access, found: FOUND });
  const places = [...tree.files, ...tree.others].map(({ location }) => location);
  if (docs?.generator !== undefined)
    yield* builtInTree(places, docs, FOUND, () => "an archive of that folder alone");
}

const revisionOf = ({ crc, sizeBytes }: ZipEntry) => `${crc.toString(16)}-${sizeBytes}`;

/** More than this is no repository of docs: of such a tar the files are taken as they lie. */
const HELD_BYTES_MAX = 256_000_000;

/** A tar has no directory: it is read once for what it holds, and again for the pages. */
async function* tarItems(context: Context, form: "tar" | "tar.gz"): AsyncGenerator<SourceItem | Skipped> {
  const { entries, contents } = await listTar(context, form);
  const { files, others, rules, skipped } = archiveTree(entries, FOUND);
  const access = await readAccessRules(rules, async ({ index, refusal }) => {
    if (refusal !== undefined) throw new Error(refusal);
    return contents.get(index);
  });
  yield* skipped;
  const kept = await withoutIgnored({ files, others }, async ({ index }) => contents.get(index));
  const all = [...kept.files, ...kept.others];
  const bytes = all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const locations = all.map(({ location }) => location);
  const isHeldWhole =
    others.some(({ location }) => isImageName(location)) ||
    locations.some((location) => isHtmlName(location) || needsOthers(location)) ||
    locations.includes(WRITTEN_FILE) ||
    locations.some(mayBeDocbook) ||
    mayHoldSite(locations);
  if (bytes <= context.heldBytesMax && isHeldWhole) {
    const held = await holdTar(context, form, all);
    // What is not held is too large, and is never read: it is listed, so that the ledger says so.
    const readable = ({ index, ...file }: ArchiveFile): ReadableFile => ({
      ...file,
      read: async () => held.get(index) ?? new Uint8Array(),
    });
    const tree = { files: kept.files.map(readable), others: kept.others.map(readable) };
    yield* itemsWithNote(tree, context, access);
  } else {
    if (isHeldWhole) yield notHeld(context.heldBytesMax);
    // Who may read which page would not be looked at.
    if (mayHoldRestricted(locations)) return;
    yield* ruleFaults(access, FOUND);
    // No other file is there when one of them is made a page.
    const open = context.apart?.open({ ...context, found: FOUND, files: [], others: [], rules: [] });
    try {
      const items = tarItemsAsTheyLie(context, form, kept.files, open);
      yield* withRules(items, { access, subfolder: "", locations });
    } finally {
      open?.end();
    }
  }
}

const notHeld = (bytesMax: number): Skipped => ({
  location: ".",
  found: FOUND,
  reason: "parse_fault",
  detail: `has more than ${bytesMax} bytes: in a tar of that size, the docs of a generator are not recognized, and nothing is taken from other files. A zip has no such limit.`,
});

/** The contents of files of a tar, which can then be read in any order. */
async function holdTar(
  context: Context,
  form: "tar" | "tar.gz",
  files: ArchiveFile[],
): Promise<Map<number, Uint8Array>> {
  const wanted = new Set(
    files.filter((file) => file.sizeBytes <= bytesMaxOf(file, context)).map(({ index }) => index),
  );
  const held = new Map<number, Uint8Array>();
  let index = 0;
  for await (const entry of readTar(tarBytes(context.handle, form, context))) {
    if (wanted.has(index)) held.set(index, await entry.read());
    index += 1;
  }
  return held;
}

async function* tarItemsAsTheyLie(
  context: Context,
  form: "tar" | "tar.gz",
  files: ArchiveFile[],
  open: OpenTree | undefined,
): AsyncGenerator<SourceItem | Skipped> {
  const choice = chooseFiles(files, { ...context, found: FOUND });
  yield* choice.skipped;
  const pages = new Map(choice.pages.map((page) => [page.file.index, page]));
  const apis = new Map(choice.apis.map((api) => [api.file.index, api]));
  const besides = new Map(
    choice.apis.flatMap(({ file, others }) =>
      others.map((each) => [each.index, { file: each, first: file }]),
    ),
  );
  const taken = new Set(choice.pages.map(({ path }) => path));
  const last = [...pages.keys(), ...apis.keys(), ...besides.keys()].reduce(
    (latest, each) => Math.max(latest, each),
    -1,
  );
  let index = 0;
  for await (const entry of readTar(tarBytes(context.handle, form, context))) {
    if (index > last) return;
    const page = pages.get(index);
    const api = apis.get(index);
    const beside = besides.get(index);
    index += 1;
    if (page) {
      const content = await entry.read();
      const { path, format, file } = page;
      const { location } = file;
      const read = async () => content;
      const kind = documentKindOf(location);
      if (format === "document" && kind !== undefined)
        yield documentItem({ location, read }, { ...context, path, found: FOUND, kind });
      else yield* asItLies({ location, read }, { path, format, open }, context);
    } else if (api) {
      const { file, base } = api;
      yield* await apiItems(await entry.read(), { location: file.location, found: FOUND, base, taken });
    } else if (beside) {
      const { file, first } = beside;
      yield apiBeside(await entry.read(), { location: file.location, found: FOUND, first: first.location });
    }
  }
}

interface LooseFile {
  path: string;
  format: FileFormat;
  open: OpenTree | undefined;
}

/** A page that is read while the tar is. What has the name of a manual page may be anything. */
async function* asItLies(
  file: Pick<ReadableFile, "location" | "read">,
  { path, format, open }: LooseFile,
  context: Context,
): AsyncGenerator<SourceItem> {
  const { location, read } = format === "man" ? unpacked(file, context) : file;
  if (!isAlone(format)) return yield { path, location, found: FOUND, format, read };
  if (format === "man" && !(await isManual(read))) return;
  const item = itemAlone({ location, read }, { ...context, path, found: FOUND, format });
  yield open === undefined ? item : elsewhere(item, open, { alone: { format, read } });
}

async function isManual(read: ReadableFile["read"]): Promise<boolean> {
  const manual = manualIn(await read().catch(() => new Uint8Array()));
  return manual !== undefined && manual.target === undefined;
}

/** How much of ignore files and rules is held: a rule beyond it cannot be read. */
const SAID_BYTES_MAX = 50_000_000;

/** Everything that a tar lists, and what its ignore files and its rules say. */
async function listTar(context: Context, form: "tar" | "tar.gz") {
  const entries: ArchiveEntry[] = [];
  const contents = new Map<number, Uint8Array>();
  let held = 0;
  for await (const { read, ...entry } of readTar(tarBytes(context.handle, form, context))) {
    const isRule = isRuleFile(entry.name.replaceAll("\\", "/"));
    const bytesMax = isRule ? RULE_FILE_BYTES_MAX : isIgnoreFile(entry.name) ? IGNORE_FILE_BYTES_MAX : 0;
    const isWanted = entry.kind === "file" && entry.refusal === undefined && entry.sizeBytes <= bytesMax;
    if (isWanted && held + entry.sizeBytes <= SAID_BYTES_MAX) {
      contents.set(entries.length, await read());
      held += entry.sizeBytes;
    }
    entries.push(entry);
  }
  return { entries, contents };
}

/** How much of a tar is unpacked to find its first entry. */
const GLANCE_BYTES_MAX = 10_000_000;

/** Raises what is wrong with an archive, as far as a glance tells. `name` is what messages call it. */
export async function checkArchive(file: string, name: string): Promise<void> {
  const handle = await openArchive(file, name);
  try {
    const form = await formOf(handle, name);
    const hasEntries =
      form === "zip"
        ? await hasZipEntries(handle)
        : await hasFirst(
            readTar(
              tarBytes(handle, form, {
                totalBytesMax: GLANCE_BYTES_MAX,
                signal: new AbortController().signal,
              }),
            ),
          );
    if (!hasEntries) throw new AppError("invalid_request", `${name} is an archive with nothing in it.`);
  } finally {
    await handle.close();
  }
}

async function hasFirst(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of items) return true;
  return false;
}
