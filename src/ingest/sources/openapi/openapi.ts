import { AppError } from "../../../errors.ts";
import type { SourceReader } from "../../source-reader.ts";
import { readApiDocument } from "./document.ts";
import { documentItems } from "./items.ts";

export interface OpenApiReaderOptions {
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
