const LINES_MAX = 10;
const DETAIL_CHARACTERS_MAX = 300;

/** The file that a page takes something from: the same is said of all that are not there. */
const TAKEN = /^.{1,300}?(?=, (?:which|whose) )/;

/**
 * What is said of files, a line each: those of which the same is said share one, so that a folder of many such files
 * does not hide the others.
 */
export function remarkLines(remarks: readonly { location: string; detail: string }[]): string[] {
  const alike = [...Map.groupBy(remarks, ({ detail }) => kindOf(detail))];
  const lines = alike.slice(0, LINES_MAX).map(([, [first, ...others]]) => {
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    return `${first?.location} ${shortened(first?.detail ?? "")}${more}`;
  });
  const unnamed = alike.slice(LINES_MAX).reduce((count, [, files]) => count + files.length, 0);
  return unnamed > 0 ? [...lines, `${unnamed} more (docent sources ledger lists them)`] : lines;
}

/** What is said, once, without the names of what is not there: of a page all of it stands in one detail. */
const kindOf = (detail: string) =>
  [...new Set(detail.split("; ").map((part) => part.replace(TAKEN, "")))].join("; ");

const shortened = (detail: string) =>
  detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX)}…` : detail;
