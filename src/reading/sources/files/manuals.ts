import { posix } from "node:path";
import { promisify } from "node:util";
import { constants, gunzip } from "node:zlib";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { folderOf } from "../../generators/generators.ts";
import { aliasOf, isManPage, nameIn } from "../../markdown/man/man.ts";
import type { Skipped } from "../../source-reader.ts";
import { isManualName, mayBeAnything } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** The manual pages of a tree, known from what they begin with: `.1` at the end of a name is no promise. */
export interface Manuals {
  /** All files that can be pages; manual pages are unpacked when they are read. */
  files: ReadableFile[];
  /** What only has such a name. */
  others: ReadableFile[];
  /** Where a page lies that a file is another name of, by the file's location. */
  aliases: ReadonlyMap<string, string>;
  skipped: Skipped[];
}

/** What a file turned out to be. */
type Found =
  | { kind: "page"; hash: string; isNamed: boolean }
  | { kind: "alias"; target: string }
  | { kind: "other" }
  | { kind: "skipped"; skipped: Skipped };

interface FindOptions {
  found: string;
  fileBytesMax: number;
  signal?: AbortSignal | undefined;
}

const READ_AT_ONCE = 32;
/** An alias of an alias is followed so far. */
const ALIASES_MAX = 5;
/** What a packed file begins with is unpacked from so much of it: to four million bytes at most. */
const GLANCE_BYTES = 4_096;
const PACKED = /\.gz$/i;
const SECTION = /\.[1-9][a-z0-9+]*?(?:\.gz)?$/i;
const unpack = promisify(gunzip);

/** Looks into the files that are manual pages by their names. Names of one page are one page. */
export async function findManuals(files: readonly ReadableFile[], options: FindOptions): Promise<Manuals> {
  const named = files
    .filter(({ location }) => isManualName(location))
    .sort((a, b) => (a.location < b.location ? -1 : 1));
  // In the order of their names, however long each takes.
  const found = new Map<string, Found>(named.map(({ location }) => [location, { kind: "other" }]));
  for (let at = 0; at < named.length; at += READ_AT_ONCE) {
    options.signal?.throwIfAborted();
    await Promise.all(
      named
        .slice(at, at + READ_AT_ONCE)
        .map(async (file) => found.set(file.location, await lookInto(file, options))),
    );
  }
  const aliases = aliasesIn(found);
  const skipped = aliasesSaid(found, aliases, options.found);
  const isPage = ({ location }: ReadableFile) =>
    !found.has(location) || (found.get(location)?.kind === "page" && !aliases.has(location));
  return {
    files: files.filter(isPage).map((file) => (found.has(file.location) ? unpacked(file, options) : file)),
    others: named.filter(({ location }) => found.get(location)?.kind === "other"),
    aliases,
    skipped,
  };
}

/** A manual page that is read as text, packed or not. */
export function unpacked<File extends Pick<ReadableFile, "location" | "read">>(
  file: File,
  { fileBytesMax }: Pick<FindOptions, "fileBytesMax">,
): File {
  if (!PACKED.test(file.location)) return file;
  const read = async () => new Uint8Array(await unpack(await file.read(), { maxOutputLength: fileBytesMax }));
  return { ...file, read };
}

/** Whether bytes, unpacked, are a manual page; the page that it is another name of, where it says no more than that. */
export function manualIn(
  bytes: Uint8Array,
): { target: string | undefined; name: string | undefined } | undefined {
  const text = decodeText(bytes, { html: false })?.text;
  if (text === undefined || !isManPage(text)) return undefined;
  return { target: aliasOf(text), name: nameIn(text)?.toLowerCase() };
}

async function lookInto(file: ReadableFile, options: FindOptions): Promise<Found> {
  const { location, sizeBytes } = file;
  const { found, fileBytesMax } = options;
  const tooLarge = (why: string): Found => ({
    kind: "skipped",
    skipped: { location, found, reason: "too_large", detail: `is larger than ${fileBytesMax} bytes${why}` },
  });
  // Other files with such a name are logs and libraries: of them nothing is said.
  if (sizeBytes > fileBytesMax) return mayBeAnything(location) ? { kind: "other" } : tooLarge("");
  try {
    const bytes = await unpacked(file, options).read();
    const manual = manualIn(bytes);
    if (manual === undefined) return { kind: "other" };
    if (manual.target !== undefined) return { kind: "alias", target: manual.target };
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    return {
      kind: "page",
      hash,
      isNamed: manual.name === posix.basename(location).toLowerCase().replace(SECTION, ""),
    };
  } catch (cause) {
    if (isTooLarge(cause))
      return (await beginsAsManual(file)) ? tooLarge(" when it is unpacked") : { kind: "other" };
    // What is no gzip file is none of a manual; any other file says for itself why it cannot be read.
    return PACKED.test(location) ? { kind: "other" } : { kind: "page", hash: location, isNamed: true };
  }
}

const isTooLarge = (cause: unknown) =>
  cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";

async function beginsAsManual({ read }: ReadableFile): Promise<boolean> {
  const head = (await read()).slice(0, GLANCE_BYTES);
  // What is cut off is unpacked as far as it goes.
  const bytes = await unpack(head, { finishFlush: constants.Z_SYNC_FLUSH }).catch(() => new Uint8Array());
  return manualIn(new Uint8Array(bytes.subarray(0, GLANCE_BYTES))) !== undefined;
}

/**
 * Other names of pages: files that say so, and files that hold the same, of which the one is the page that is called as
 * its title says.
 */
function aliasesIn(found: ReadonlyMap<string, Found>): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const pages = [...found].flatMap(([location, each]) =>
    each.kind === "page" ? [{ location, ...each }] : [],
  );
  for (const same of Map.groupBy(
    pages,
    ({ location, hash }) => `${folderLanguage(location)} ${hash}`,
  ).values()) {
    const page = same.find(({ isNamed }) => isNamed) ?? same[0];
    for (const { location } of same)
      if (page !== undefined && location !== page.location) aliases.set(location, page.location);
  }
  for (const [location, each] of found) {
    if (each.kind !== "alias") continue;
    const page = followed(location, found);
    if (page !== undefined) aliases.set(location, aliases.get(page) ?? page);
  }
  return aliases;
}

function followed(location: string, found: ReadonlyMap<string, Found>): string | undefined {
  let at = location;
  for (let hops = 0; hops < ALIASES_MAX; hops++) {
    const each = found.get(at);
    if (each?.kind === "page") return at;
    if (each?.kind !== "alias") return undefined;
    const { target } = each;
    const folder = folderOf(at);
    // An alias names its target from the folder above that of its section, or from its own.
    const places = [
      posix.join(folder, "..", target),
      posix.join(folder, target),
      posix.join(folder, posix.basename(target)),
    ];
    const next = places
      .flatMap((place) => [place, `${place}.gz`])
      .find((place) => place !== at && found.has(place));
    if (next === undefined) return undefined;
    at = next;
  }
  return undefined;
}

function aliasesSaid(
  found: ReadonlyMap<string, Found>,
  aliases: ReadonlyMap<string, string>,
  how: string,
): Skipped[] {
  const said: Skipped[] = [];
  for (const [location, each] of found) {
    const page = aliases.get(location);
    if (each.kind === "skipped") said.push(each.skipped);
    else if (page !== undefined)
      said.push({ location, found: how, reason: "duplicate", detail: `is another name of ${page}` });
    else if (each.kind === "alias") {
      const detail = `stands for ${each.target.slice(0, 200)}, which is not in this source`;
      said.push({ location, found: how, reason: "not_found", detail });
    }
  }
  return said;
}

/** `de/man1/ls.1`, `pt_BR/man1/ls.1`, `de.UTF-8/man1/ls.1`: translations lie in folders of their languages. */
const TRANSLATED = /(?:^|\/)([a-z]{2})(?:_([A-Z]{2}))?(?:\.[\w-]{1,20})?(?:@\w{1,20})?\/man[1-9]\w*\/[^/]+$/;

/** The language of a translated page by its folder; "" for one that does not say. */
export function folderLanguage(location: string): string {
  const [, language, country] = TRANSLATED.exec(location) ?? [];
  return language === undefined ? "" : country === undefined ? language : `${language}-${country}`;
}
