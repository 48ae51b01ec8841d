import { isRecord } from "@docent/kernel/text/json";
import { type ApiDocument, parseDescription } from "./document.ts";
import { pointerTo, valueAt } from "./references.ts";

/** Finds a file that is named in another one; a string where there is none. */
export type ReadBeside = (
  target: string,
  from: string,
) => Promise<{ location: string; text: string } | string>;

/** What is taken from other files stands here, where references inside of the document lead. */
const PLACE = "x-docent-files";
const FILES_MAX = 20_000;
const CHARACTERS_MAX = 100_000_000;

interface FileBeside {
  content: unknown;
  /** Where its content stands in the document. */
  tokens: string[];
}

/** Takes into a description what it refers to in files beside it, so that all references lead inside. Changes `document`. */
export async function takeFilesBeside(
  document: ApiDocument,
  location: string,
  read: ReadBeside,
): Promise<void> {
  const taken = createTaken(document, location, read);
  const open: { value: object; from: string }[] = [{ value: document, from: location }];
  const seen = new Set<unknown>([document]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, from } = next;
    for (const [key, inside] of Object.entries(value)) {
      if (typeof inside !== "object" || inside === null || seen.has(inside)) continue;
      seen.add(inside);
      open.push({ value: inside, from });
      const reference: unknown = isRecord(inside) ? inside["$ref"] : undefined;
      const found = typeof reference === "string" ? await taken.find(reference, from) : undefined;
      if (found === undefined) continue;
      // A text or a list cannot be referred to; whoever writes a description in parts does so all the same.
      if (!isRecord(found.value)) Reflect.set(value, key, found.value);
      else Reflect.set(inside, "$ref", found.pointer);
    }
    open.push(...taken.news());
  }
}

function createTaken(document: ApiDocument, root: string, read: ReadBeside) {
  const files = new Map<string, FileBeside | undefined>();
  const locations = new Map<string, string | undefined>();
  const place: Record<string, unknown> = {};
  const news: { value: object; from: string }[] = [];
  let characters = 0;

  async function fileAt(target: string, from: string): Promise<string | undefined> {
    const key = JSON.stringify([from.slice(0, from.lastIndexOf("/") + 1), target]);
    if (locations.has(key)) return locations.get(key);
    const found = await read(target, from);
    const location = typeof found === "string" ? undefined : found.location;
    locations.set(key, location);
    if (typeof found !== "string" && found.location !== root && !files.has(found.location))
      files.set(found.location, take(found));
    return location;
  }

  function take({ location, text }: { location: string; text: string }): FileBeside | undefined {
    characters += text.length;
    if (files.size >= FILES_MAX || characters > CHARACTERS_MAX) return undefined;
    const content = contentOf(location, text);
    const name = location.slice(location.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
    const tokens = [PLACE, String(files.size), name];
    place[String(files.size)] = { [name]: content };
    document[PLACE] = place;
    if (typeof content === "object" && content !== null) news.push({ value: content, from: location });
    return { content, tokens };
  }

  return {
    /** What a reference leads to in another file, or in its own where that is not the document itself. */
    async find(reference: string, from: string): Promise<{ value: unknown; pointer: string } | undefined> {
      if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(reference)) return undefined;
      const [target = "", fragment = ""] = reference.split("#", 2);
      const location = target === "" ? from : await fileAt(target, from);
      if (location === root)
        return target === "" ? undefined : pointed(document, `#${fragment}`, `#${fragment}`);
      const file = location === undefined ? undefined : files.get(location);
      if (file === undefined) return undefined;
      const within = fragment.replace(/^\/?/, "/").replace(/^\/$/, "");
      return pointed(file.content, `#${within}`, pointerTo(...file.tokens) + within);
    },
    /** The files that were taken since this was asked. */
    news: () => news.splice(0),
  };
}

function pointed(content: unknown, within: string, pointer: string) {
  const value = within === "#" ? content : valueAt(content, within);
  return value === undefined ? undefined : { value, pointer };
}

/** A text that is referred to is said as it is; a file that cannot be parsed is not taken. */
function contentOf(location: string, text: string): unknown {
  if (/\.(?:md|markdown|txt)$/i.test(location)) return text;
  try {
    return parseDescription(text);
  } catch {
    return undefined;
  }
}
