import { createByteReader } from "../byte-source.ts";
import { type ArchiveEntry, damaged, ENTRIES_MAX, tooLarge } from "./entry.ts";
import {
  BLOCK_BYTES,
  type PaxSaid,
  parsePax,
  parseTarHeader,
  type TarHeader,
  textOfBytes,
} from "./tar-header.ts";

const LONG_NAME_BYTES_MAX = 1_000_000;

/** An entry of a tar while the tar is read. */
export interface TarEntry extends ArchiveEntry {
  /** The whole of it. Only until the next entry is asked for, and once. */
  read(): Promise<Uint8Array>;
}

/** The entries of a tar as they come. Throws where the tar ends before its end is marked. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = createByteReader(stream);
  let ahead: PaxSaid = {};
  let forAll: PaxSaid = {};
  for (let count = 0; ; count++) {
    if (count > ENTRIES_MAX) throw tooLarge(`has more than ${ENTRIES_MAX} entries`);
    const block = await bytes.take(BLOCK_BYTES);
    if (block.length < BLOCK_BYTES) throw damaged("it ends too early");
    if (block.every((byte) => byte === 0)) return;
    const header = parseTarHeader(block);
    if (!header) throw damaged("an entry's header cannot be read");

    const said = isAboutNext(header) ? await take(header.sizeBytes, LONG_NAME_BYTES_MAX) : undefined;
    if (said && header.kind === "pax for all") forAll = { ...forAll, ...parsePax(said) };
    else if (said && header.kind === "pax") ahead = { ...ahead, ...parsePax(said) };
    else if (said && header.kind === "long name") ahead.path = textOfBytes(said);
    if (said) continue;

    const entry = toEntry(header, { ...forAll, ...ahead });
    ahead = {};
    let isRead = false;
    yield {
      ...entry,
      read: () => {
        isRead = true;
        return take(entry.sizeBytes, entry.sizeBytes);
      },
    };
    if (!isRead) await pass(padded(entry.sizeBytes));
  }

  async function take(sizeBytes: number, bytesMax: number): Promise<Uint8Array> {
    if (sizeBytes > bytesMax) throw damaged("an entry's name is far too long");
    const content = await bytes.take(sizeBytes);
    if (content.length < sizeBytes) throw damaged("it ends too early");
    await pass(padded(sizeBytes) - sizeBytes);
    return content;
  }

  async function pass(count: number): Promise<void> {
    if ((await bytes.skip(count)) < count) throw damaged("it ends too early");
  }
}

const isAboutNext = ({ kind }: TarHeader) =>
  kind === "pax" || kind === "pax for all" || kind === "long name" || kind === "long link";

function toEntry({ name, kind, sizeBytes }: TarHeader, said: PaxSaid): ArchiveEntry {
  const { path = name, size, isSparse } = said;
  const isKnown = kind === "file" || kind === "folder" || kind === "link";
  const bytes = size === undefined ? sizeBytes : Number(size);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw damaged("an entry's size cannot be read");
  return {
    name: path,
    kind: isKnown && !isSparse ? kind : "other",
    sizeBytes: bytes,
  };
}

const padded = (count: number) => Math.ceil(count / BLOCK_BYTES) * BLOCK_BYTES;
