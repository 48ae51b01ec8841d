/**
 * Tells where a table may be: there a bar ends the cell, and a code span with it. A client would pair the
 * backticks on either side of the bar with others, and see our code as words.
 */
export interface TableLines {
  /** Reads a line that was written. */
  read(line: string): void;
  /** Whether a bar on this line ends a cell. */
  hasCells(line: string): boolean;
  /**
   * Notes that a code span with a bar was written on this line, which becomes a row only if the next line
   * makes it one.
   */
  sayBar(): void;
  /** Whether the line so far would turn a line with such a span into a row. */
  wouldBegin(line: string): boolean;
}

/** The delimiter row of a table. */
const DELIMITER = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** The beginning of such a row, as the most liberal client reads it. */
const MAY_BE_DELIMITER = /^[ \t>]*(?:[-:|][-:| \t]*)?$/;

export function createTableLines(): TableLines {
  let inTable = false;
  let hadBar = false;
  let saidBar = false;
  let mustNotBegin = false;
  return {
    read(line) {
      const isBlank = /^[ \t>]*$/.test(line);
      if (isBlank) inTable = false;
      else if (DELIMITER.test(line) && (hadBar || /[|:]/.test(line))) inTable = true;
      hadBar = line.includes("|");
      mustNotBegin = saidBar;
      saidBar = false;
    },
    hasCells: (line) => inTable || hasBar(line.replace(/`+[^`]*`+/g, "")),
    sayBar() {
      saidBar = true;
    },
    wouldBegin: (line) => mustNotBegin && MAY_BE_DELIMITER.test(line),
  };
}

/**
 * Whether a text contains a bar that ends a cell: an escaped one does not, one after an escaped backslash
 * does.
 */
export function hasBar(text: string): boolean {
  return /(?<!(?<!\\)\\)\|/.test(text);
}
