import { decodeText } from "@docent/kernel/text/decode-bytes";
import { readApiDocument } from "../openapi/openapi.ts";
import { roleOf } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

const MAY_DESCRIBE = /\.(?:json|ya?ml)$/i;
/** What tests and other people's programs have is no API of this source. */
const NO_DOCS =
  /(?:^|\/)(?:(?:unit|integration|e2e)?[-_]?tests?|__[^/]*__|test[-_]?data|_?fixtures?|mocks?|examples?|samples?|vendor|third[-_]party)\//i;
const FIRST_CHARACTERS = 4_000;
const SAYS_SO = /^(?:openapi|swagger)[ \t]*:[ \t]*["']?[23]\.\d/m;
/** In JSON, what stands around it is not told by lines. */
const MAY_SAY_SO = /^\s*\{[\s\S]*"(?:openapi|swagger)"\s*:\s*"[23]\.\d/;
const LOOKED_AT_MAX = 5_000;

/** The files of a tree that say at their beginning that they describe an API, whatever they are called. */
export async function describedApis(
  others: readonly ReadableFile[],
  { fileBytesMax, signal }: { fileBytesMax: number; signal?: AbortSignal | undefined },
): Promise<ReadableFile[]> {
  const described: ReadableFile[] = [];
  const candidates = others.filter(
    ({ location, sizeBytes }) =>
      MAY_DESCRIBE.test(location) &&
      !NO_DOCS.test(location) &&
      sizeBytes <= fileBytesMax &&
      roleOf(location).kind === "other",
  );
  for (const file of candidates.slice(0, LOOKED_AT_MAX)) {
    signal?.throwIfAborted();
    const content = await file.read().catch(() => undefined);
    if (content !== undefined && describesApi(content)) described.push(file);
  }
  return described;
}

function describesApi(content: Uint8Array): boolean {
  const text = decodeText(content.subarray(0, FIRST_CHARACTERS * 4), { html: false })?.text ?? "";
  const beginning = text.slice(0, FIRST_CHARACTERS);
  if (SAYS_SO.test(beginning)) return true;
  return MAY_SAY_SO.test(beginning) && typeof readApiDocument(content) !== "string";
}
