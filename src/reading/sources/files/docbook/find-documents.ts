import { readProlog } from "./dtd.ts";
import { type DocbookSource, declarationsOf, placeBeside } from "./read-document.ts";

/** Whether a file may be DocBook by its name: what it is its text says. */
export const mayBeDocbook = (location: string) => /\.(?:xml|dbk|docbook|sgml)$/i.test(location);

const INCLUDE = /<(?:[\w.-]{1,60}:)?include\s((?:[^>"']|"[^"]{0,2000}"|'[^']{0,2000}'){0,2000})>/g;
const REFERENCE = /&([\p{L}_:][\p{L}\p{N}_:.-]{0,300});/gu;
const FILES_MAX = 20_000;

/** The files that a document takes in, by entities or inclusions, and those that these do. */
export async function filesTakenIn(location: string, source: DocbookSource): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  const waiting: { location: string; declared: ReadonlyMap<string, string> | undefined }[] = [
    { location, declared: undefined },
  ];
  const visited = new Set<string>();
  for (let next = waiting.pop(); next !== undefined && visited.size < FILES_MAX; next = waiting.pop()) {
    if (visited.has(next.location)) continue;
    visited.add(next.location);
    const whole = await source.text(next.location);
    if (whole === undefined) continue;
    // What an entity takes in knows the declarations of what takes it in.
    const declared = next.declared ?? (await fileEntities(whole, next.location, source));
    const text = withoutComments(whole.slice(readProlog(whole).end));
    if (declared.size > 0)
      for (const [, name = ""] of text.matchAll(REFERENCE)) {
        const place = declared.get(name);
        if (place !== undefined && source.has(place)) {
          taken.add(place);
          waiting.push({ location: place, declared });
        }
      }
    for (const [, attributes = ""] of text.matchAll(INCLUDE)) {
      const href = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes);
      const place = placeBeside(href?.[1] ?? href?.[2] ?? "", next.location);
      // Of a file that a pointer leads into, only a part is taken.
      const isWhole = !/(?:^|\s)xpointer\s*=/.test(attributes);
      if (place === undefined || !source.has(place) || place === next.location) continue;
      if (isWhole) taken.add(place);
      if (isWhole) waiting.push({ location: place, declared: undefined });
    }
  }
  taken.delete(location);
  return taken;
}

/** A text without what it holds in comments; one that does not end is none. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", at)) {
    const end = text.indexOf("-->", open + 4);
    if (end < 0) break;
    parts.push(text.slice(at, open));
    at = end + 3;
  }
  return parts.join("") + text.slice(at);
}

async function fileEntities(
  text: string,
  location: string,
  source: DocbookSource,
): Promise<ReadonlyMap<string, string>> {
  const { general } = await declarationsOf(text, location, source);
  const files = new Map<string, string>();
  for (const [name, entity] of general) {
    const place = entity.kind === "file" ? placeBeside(entity.target, entity.from) : undefined;
    if (place !== undefined) files.set(name, place);
  }
  return files;
}
