import { AppError } from "@docent/kernel/errors";
import type { Skipped, SourceItem, SourceReader } from "../../source-reader.ts";
import { type ReadBeside, takeFilesBeside } from "./beside.ts";
import { type ApiDocument, readApiDocument } from "./document.ts";
import { openApiPages } from "./pages.ts";

export { readApiDocument } from "./document.ts";

interface OpenApiReaderOptions {
  /** Where the description is, for people: a file, an address. */
  location: string;
  /** How it was found, for the ledger. */
  found: string;
  /** The whole of it, within the caller's bounds. */
  read(signal: AbortSignal): Promise<Uint8Array>;
  /** The path of the overview; the operations are below it. */
  base?: string;
}

/** The operations of an OpenAPI or Swagger description as pages. */
export function createOpenApiReader({
  location,
  found,
  read,
  base = "api",
}: OpenApiReaderOptions): SourceReader {
  return {
    async *list({ signal }) {
      signal.throwIfAborted();
      const document = readApiDocument(await read(signal));
      if (typeof document === "string")
        throw new AppError("invalid_request", `${location} ${document}.`, {
          hint: "Name an OpenAPI 3 or Swagger 2 file, in JSON or YAML. What was ingested before is still there.",
        });
      yield* documentItems(document, { location, found, base, taken: new Set() });
    },
  };
}

interface ApiItemOptions {
  /** Where the description was found. */
  location: string;
  found: string;
  /** The path of the overview; the operations are below it. */
  base: string;
  /** Paths that other pages have; those that are given out are added. */
  taken: Set<string>;
  /** Finds the files that it refers to. */
  beside?: ReadBeside;
}

/** The pages of a file that describes an API; what is wrong with it where it does not. */
export async function apiItems(
  content: Uint8Array,
  options: ApiItemOptions,
): Promise<(SourceItem | Skipped)[]> {
  const { location, found, base, beside } = options;
  const document = readApiDocument(content);
  if (typeof document === "string")
    return [{ location, found, reason: "parse_fault", detail: document, keeps: { below: base } }];
  if (beside !== undefined) await takeFilesBeside(document, location, beside);
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
function documentItems(document: ApiDocument, options: ApiItemOptions): (SourceItem | Skipped)[] {
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
