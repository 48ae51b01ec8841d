import {
  atxHeading,
  CODE_COLUMNS,
  closesFence,
  type FenceOpening,
  fenceOpening,
  indentOf,
  isBlank,
  isQuote,
  isRule,
  type ListMarker,
  listMarker,
} from "@docent/kernel/text/markdown-lines";

/** The fence that a line of the text opens; one that is indented further stands in code. */
export const readFence = (line: string): FenceOpening | undefined =>
  indentOf(line) < CODE_COLUMNS ? fenceOpening(line) : undefined;

/** The fence that is open behind a line, given the one that was open before it. */
export function fenceBehind(line: string, open: FenceOpening | undefined): FenceOpening | undefined {
  if (open === undefined) return readFence(line);
  return closesFence(line, open) ? undefined : open;
}

export const readMarker = (line: string): ListMarker | undefined =>
  isRule(line) ? undefined : listMarker(line);

/** Indented so far a line is code, where it does not go on with something else. */
export const isIndentedCode = (line: string) => indentOf(line) >= CODE_COLUMNS && !isBlank(line);

/** Whether a line ends the paragraph before it by beginning something else. */
export const interrupts = (line: string): boolean =>
  isQuote(line) ||
  atxHeading(line) !== undefined ||
  readFence(line) !== undefined ||
  isRule(line) ||
  listMarker(line)?.interrupts === true;

const MARKERS_ALONE = /^[\s>*+\-_=~`#|:.\d)]*$/;
const BEGUN_FENCE = /^[\s>*+\-\d.)]*(?:`{3,}|~{3,})[^`]*$/;

/** Whether a line that is still coming may turn out to be anything. */
export const isUndecided = (line: string) => MARKERS_ALONE.test(line) || BEGUN_FENCE.test(line);
