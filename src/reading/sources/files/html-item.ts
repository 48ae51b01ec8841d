import { decodeText, normalizeSource } from "@docent/kernel/text/decode-bytes";
import { folderOf } from "../../generators/generators.ts";
import { type SharedParts, sharedByPages } from "../../markdown/html/html.ts";
import type { AroundPage, SourceItem } from "../../source-reader.ts";
import type { FileFormat } from "./page-file.ts";
import type { ReadableFile } from "./tree-file.ts";

/** The pages of HTML that lie together: what they have in common is none of their words. */
interface HtmlPages {
  /** A few pages of a folder are read for it, once, and only where one of them is. */
  shared(location: string): Promise<SharedParts | undefined>;
  /** The files that are no pages although they are HTML. */
  leftOut: ReadonlySet<string>;
}

/** A folder with fewer pages is compared with all of the tree. */
const TOGETHER_MIN = 4;
const COMPARED_MAX = 16;
const COMPARED_BYTES_MAX = 1_000_000;

export function htmlPages(
  pages: readonly { file: ReadableFile; format: FileFormat }[],
  leftOut: ReadonlySet<string>,
): HtmlPages {
  const files = pages.flatMap(({ file, format }) =>
    format === "html" && file.sizeBytes <= COMPARED_BYTES_MAX ? [file] : [],
  );
  const folders = Map.groupBy(files, ({ location }) => folderOf(location));
  const found = new Map<readonly ReadableFile[], Promise<SharedParts | undefined>>();
  return {
    leftOut,
    shared(location) {
      const own = folders.get(folderOf(location)) ?? [];
      const together = own.length < TOGETHER_MIN ? files : own;
      const known = found.get(together) ?? compare(together);
      found.set(together, known);
      return known;
    },
  };
}

async function compare(files: readonly ReadableFile[]): Promise<SharedParts | undefined> {
  const step = Math.max(1, files.length / COMPARED_MAX);
  const chosen = Array.from(
    { length: Math.min(files.length, COMPARED_MAX) },
    (_, n) => files[Math.floor(n * step)],
  );
  const texts = await Promise.all(
    chosen.map(async (file) => {
      // One that cannot be read says so for itself.
      const bytes = await file?.read().catch(() => undefined);
      const text = bytes === undefined ? undefined : decodeText(bytes, { html: true })?.text;
      return text === undefined ? [] : [normalizeSource(text)];
    }),
  );
  return sharedByPages(texts.flat());
}

/** A page of HTML, which is read without what those beside it have, too, and without links to what is no page. */
export function htmlItem(
  { location, validator, read }: Pick<ReadableFile, "location" | "validator" | "read">,
  { path, found, beside }: { path: string; found: string; beside: HtmlPages },
): SourceItem {
  let around: AroundPage | undefined;
  return {
    path,
    location,
    found,
    format: "html",
    validator,
    async read() {
      const [bytes, shared] = await Promise.all([read(), beside.shared(location)]);
      around = { folder: folderOf(location), shared, leftOut: beside.leftOut };
      return bytes;
    },
    around: () => around,
  };
}
