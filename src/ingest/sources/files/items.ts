import type { Skipped, SourceItem } from "../../source-reader.ts";
import { apiBeside, apiItems } from "../openapi/items.ts";
import type { Choice, TreeFile } from "./files.ts";

/** A file of a tree that can be read in any order. */
export interface ReadableFile extends TreeFile {
  validator?: string | undefined;
  read(): Promise<Uint8Array>;
}

/** The pages of a tree, and what the descriptions of APIs in it become. */
export async function* toItems(
  choice: Choice<ReadableFile>,
  found: string,
): AsyncGenerator<SourceItem | Skipped> {
  yield* choice.skipped;
  for (const { file, path, format } of choice.pages) {
    const { location, validator, read } = file;
    yield { path, location, found, format, validator, read };
  }
  const taken = new Set(choice.pages.map(({ path }) => path));
  for (const { file, base, others } of choice.apis) {
    const { location } = file;
    const content = await contentOf(file, found);
    if (content instanceof Uint8Array) yield* apiItems(content, { location, found, base, taken });
    else yield { ...content, keeps: { below: base } };
    for (const other of others) {
      const beside = await contentOf(other, found);
      const isRead = beside instanceof Uint8Array;
      yield isRead ? apiBeside(beside, { location: other.location, found, first: location }) : beside;
    }
  }
}

/** What is in a file, or why that cannot be told. */
async function contentOf({ location, read }: ReadableFile, found: string): Promise<Uint8Array | Skipped> {
  try {
    return await read();
  } catch (cause) {
    const detail = `cannot be read: ${cause instanceof Error ? cause.message : cause}`;
    return { location, found, reason: "failed", detail };
  }
}
