import type { Skipped, SourceItem } from "../../source-reader.ts";
import { type ApiDocument, readApiDocument } from "./document.ts";
import { openApiPages } from "./pages.ts";

export interface ApiItemOptions {
  /** Where the description was found. */
  location: string;
  found: string;
  /** The path of the overview; the operations are below it. */
  base: string;
  /** Paths that other pages have; those that are given out are added. */
  taken: Set<string>;
}

/** The pages of a file that describes an API; what is wrong with it where it does not. */
export function apiItems(content: Uint8Array, options: ApiItemOptions): (SourceItem | Skipped)[] {
  const { location, found, base } = options;
  const document = readApiDocument(content);
  if (typeof document === "string")
    return [{ location, found, reason: "parse_fault", detail: document, keeps: { below: base } }];
  return documentItems(document, options);
}

/** What is said of a file whose pages would stand where those of `first` do: it is not read for pages. */
export function apiBeside(
  content: Uint8Array,
  { location, found, first }: { location: string; found: string; first: string },
): Skipped {
  const document = readApiDocument(content);
  return typeof document === "string"
    ? { location, found, reason: "parse_fault", detail: document }
    : { location, found, reason: "duplicate", detail: `would have its pages where those of ${first} are` };
}

/** The pages of a description of an API, each at its own place in it. */
export function documentItems(document: ApiDocument, options: ApiItemOptions): (SourceItem | Skipped)[] {
  const { location, found, base, taken } = options;
  const { pages, faults } = openApiPages(document, base);
  const at = (pointer: string) => (pointer === "" ? location : `${location}${pointer}`);
  const items = pages.map(({ path, pointer, markdown }): SourceItem | Skipped => {
    const place = { location: at(pointer), found };
    if (taken.has(path))
      return { ...place, reason: "duplicate", detail: `has the same path as another page: /${path}` };
    taken.add(path);
    return { ...place, path, format: "md", read: async () => new TextEncoder().encode(markdown()) };
  });
  const skipped = faults.map(({ pointer, detail }): Skipped => {
    const place = pointer.startsWith("#") ? at(pointer) : `${location} → ${pointer}`;
    return { location: place, found, reason: "parse_fault", detail };
  });
  return [...skipped, ...items];
}
