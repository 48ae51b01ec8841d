import { AppError } from "@docent/kernel/errors";
import { createFreeNames } from "@docent/kernel/text/words-of-name";
import type { Skipped, SourceItem, SourceReader } from "../../source-reader.ts";
import { type ReadBeside, takeFilesBeside } from "./beside.ts";
import { type ApiDocument, readApiDocument } from "./document.ts";
import { frontMatter } from "./markdown.ts";
import type { ApiOperation, PlacedOperation } from "./model.ts";
import { operationBody } from "./operation-page.ts";
import { overviewBody } from "./overview-page.ts";
import { type ApiFault, readOperations } from "./read-operations.ts";
import { brokenReferences, createReferences } from "./references.ts";
import { readSchemes } from "./security.ts";
import { kebab, textOf } from "./values.ts";

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

const STEPS_PER_PAGE_MAX = 20_000;

/** A page made from a description of an API. */
interface ApiPage {
  path: string;
  title: string;
  /** Written when it is asked for: a small description can stand for very many words. */
  markdown(): string;
  /** Which part of the description it is of; "" for the whole of it. */
  pointer: string;
}

/** Makes a page of every operation, and one of the whole. What is broken is told, and costs nothing else. */
export function openApiPages(document: ApiDocument, base = "api"): { pages: ApiPage[]; faults: ApiFault[] } {
  const references = createReferences(document);
  const schemes = readSchemes(document, references);
  const { operations, faults } = readOperations(document, references);
  const placed = placeOperations(operations, base);
  const overview = overviewBody(document, placed, schemes);
  const pages = placed.map(({ operation, path }): ApiPage => {
    const title = titleOf(operation);
    const description = shorten(operation.description);
    const markdown = () => {
      const body = operationBody(operation, createReferences(document, STEPS_PER_PAGE_MAX), schemes);
      return wholePage({ title, description, tags: operation.tags }, body);
    };
    return { path, title, pointer: operation.pointer, markdown };
  });
  const { title, summary: description, body } = overview;
  const first = { path: base, title, pointer: "", markdown: () => wholePage({ title, description }, body) };
  return { pages: [first, ...pages], faults: [...faults, ...brokenReferences(document).map(brokenFault)] };
}

const wholePage = (head: { title: string; description: string; tags?: string[] }, body: string) =>
  `${frontMatter(head)}\n# ${escapeHeading(head.title)}\n\n${body}\n`;

const brokenFault = (pointer: string): ApiFault => ({
  pointer,
  detail: pointer.startsWith("#")
    ? "is referred to, and is not there"
    : /^[a-z][a-z\d+.-]*:/i.test(pointer)
      ? "is elsewhere, and not fetched"
      : "is in a file that is not read: where it is beside this one, name the folder of both",
});

/** What an operation is called. */
const titleOf = ({ kind, method, target, summary }: ApiOperation) =>
  summary || (kind === "webhook" ? `Webhook ${target}` : `${method} ${target}`);

function placeOperations(operations: ApiOperation[], base: string): PlacedOperation[] {
  const taken = new Set([base]);
  const free = createFreeNames(taken);
  return operations.map((operation) => {
    const { id, method, target, tags, kind } = operation;
    const folder = kind === "webhook" ? "webhooks" : kebab(tags[0] ?? "");
    const plain = kebab(`${method} ${target}`) || method.toLowerCase();
    const named = kebab(id) || plain;
    const below = folder === "" ? base : `${base}/${folder}`;
    // Told apart by what they are asked of, so that no page moves when another operation is added before it.
    const isNamed = !taken.has(`${below}/${named}`);
    return { operation, path: free(`${below}/${isNamed ? named : plain}`) };
  });
}

const escapeHeading = (title: string) => title.replace(/\s+/g, " ").replace(/[\\*_`[\]<>{}#]/g, "\\$&");

/** The first sentence or so of a description. */
function shorten(description: string): string {
  const [paragraph = ""] = textOf(description).split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
