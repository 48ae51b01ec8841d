import { keepLatest } from "@docent/kernel/lib/remember";
import { folderOf } from "../../../generators/generators.ts";
import type { ReadableFile } from "../tree-file.ts";
import { type Entity, noDeclarations, readDeclarations } from "./dtd.ts";
import { type DocbookSource, readBeside } from "./read-document.ts";

const KEPT = 300;
const KEPT_CHARACTERS_MAX = 400_000;
/** A source with more files of entities is none of a manual; of those the nearest count. */
const LOOSE_FILES_MAX = 200;

/** The files that documents of a source may take something from. A file that cannot be read is none. */
export function docbookSource(files: readonly ReadableFile[], signal?: AbortSignal): DocbookSource {
  const byLocation = new Map(files.map((file) => [file.location, file]));
  const kept = new Map<string, string>();
  const loose = [...byLocation.keys()].filter((location) => /\.ent$/i.test(location)).sort();
  const declared = new Map<string, Promise<ReadonlyMap<string, Entity>>>();
  const nearest = new Map<string, string[]>();

  const source: DocbookSource = {
    has: (location) => byLocation.has(location),
    async text(location) {
      const known = kept.get(location);
      if (known !== undefined) return known;
      signal?.throwIfAborted();
      const content = await byLocation
        .get(location)
        ?.read()
        .catch(() => undefined);
      signal?.throwIfAborted();
      const text = content === undefined ? undefined : decodedXml(content);
      if (text !== undefined && text.length <= KEPT_CHARACTERS_MAX) keepLatest(kept, location, text, KEPT);
      return text;
    },
    async looseEntity(name, from) {
      const folder = folderOf(from);
      const order = nearest.get(folder) ?? nearestTo(folder, loose).slice(0, LOOSE_FILES_MAX);
      nearest.set(folder, order);
      for (const location of order) {
        const entities = declared.get(location) ?? declaredIn(location, source);
        declared.set(location, entities);
        const entity = (await entities).get(name);
        if (entity !== undefined) return entity;
      }
      return undefined;
    },
  };
  return source;
}

const ENTITY_ELEMENT = /<entity\s+name\s*=\s*"([^"<>&]{1,300})"[^<>]{0,300}>([\s\S]{0,20000}?)<\/entity>/g;

async function declaredIn(location: string, source: DocbookSource): Promise<ReadonlyMap<string, Entity>> {
  const into = noDeclarations();
  const text = await source.text(location);
  const files = { read: (target: string, from: string) => readBeside(source, target, from) };
  if (text === undefined) return into.general;
  await readDeclarations(text, location, into, files);
  // The PHP manual has its entities as elements.
  for (const [, name = "", content = ""] of text.matchAll(ENTITY_ELEMENT))
    if (!into.general.has(name)) into.general.set(name, { kind: "text", text: content, from: location });
  return into.general;
}

/** Files by how far they are from a folder: those in it, then around it, then elsewhere. */
function nearestTo(folder: string, locations: readonly string[]): string[] {
  const segments = folder.split("/");
  const shared = (location: string) => {
    const others = folderOf(location).split("/");
    let count = 0;
    while (count < segments.length && segments[count] === others[count]) count += 1;
    return count - others.length / 100;
  };
  return locations.toSorted((a, b) => shared(b) - shared(a));
}

const GLANCE_BYTES = 200;

/** The text of a file of XML: in what its first line names, or UTF-8. Undefined for what is no text. */
function decodedXml(content: Uint8Array): string | undefined {
  const text = new TextDecoder(encodingOf(content)).decode(content);
  return text.slice(0, 100_000).includes("\0") ? undefined : text.replaceAll("\r\n", "\n");
}

function encodingOf(content: Uint8Array): string {
  const [first, second] = content;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  const start = Buffer.from(content.subarray(0, GLANCE_BYTES)).toString("latin1");
  const named = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(start)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return "utf-8";
  }
}
