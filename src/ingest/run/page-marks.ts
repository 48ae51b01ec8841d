import type { PageMarks } from "../../pages/page-marks.ts";
import type { SourceSpec } from "../source.ts";
import type { DocsMarks } from "../source-reader.ts";

/**
 * The version and language of a page: as its docs say, or else as its source is set. The language that is set is also that
 * of pages in the main language of the docs, which are for this language alone then.
 */
export function marksOf(
  { version, language }: Pick<SourceSpec, "version" | "language">,
  marks: DocsMarks = {},
): PageMarks {
  const isNamed = language !== "" && marks.translations !== undefined;
  return {
    version: marks.version ?? version,
    language: isNamed ? language : (marks.language ?? language),
    ...(isNamed || marks.translations === undefined ? {} : { translations: marks.translations }),
  };
}
