import type { Skipped, SourceItem } from "../../source-reader.ts";
import { apiItems } from "../openapi/items.ts";
import type { Choice, TreeFile } from "./choose.ts";

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
  for (const { file, base } of choice.apis) {
    const { location } = file;
    const content = await file.read().catch((cause: unknown) => {
      const detail = `cannot be read: ${cause instanceof Error ? cause.message : cause}`;
      return { location, found, reason: "failed", detail, keeps: { below: base } } satisfies Skipped;
    });
    if (content instanceof Uint8Array) yield* apiItems(content, { location, found, base, taken });
    else yield content;
  }
}
