import { type FoundFile, isForeign } from "./choose-docs.ts";

/** The most files of a folder of docs: one with more was dropped by mistake. */
const FOUND_MAX = 100_000;
const DEPTH_MAX = 40;

/** A folder that was dropped has more in it than docs have. */
export class TooManyFiles extends Error {}

/**
 * Reads what was dropped, with all that its folders hold. Folders that are nobody's docs are not looked into. The
 * entries have to be taken within the event: afterwards the browser has none.
 */
export async function readDropped(transfer: DataTransfer): Promise<FoundFile[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  // What is dragged from another program may be files that are nowhere on the disk.
  return entries.length === 0 ? readChosen(transfer.files) : readEntries(entries);
}

/** Reads what was chosen in the browser's own dialog. */
export function readChosen(files: Iterable<File>): FoundFile[] {
  return [...files].map((content) => ({ path: content.webkitRelativePath || content.name, content }));
}

async function readEntries(entries: FileSystemEntry[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];

  async function visit(entry: FileSystemEntry, folder: string, depth: number): Promise<void> {
    if (found.length >= FOUND_MAX) throw new TooManyFiles();
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isFile(entry)) found.push({ path, content: await fileOf(entry) });
    else if (isFolder(entry) && depth < DEPTH_MAX && !isForeign(entry.name))
      for (const inner of await entriesOf(entry)) await visit(inner, path, depth + 1);
  }

  for (const entry of entries) await visit(entry, "", 0);
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** A reader gives a part at a time, and nothing at its end. */
async function entriesOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
    if (all.length > FOUND_MAX) throw new TooManyFiles();
  }
}
