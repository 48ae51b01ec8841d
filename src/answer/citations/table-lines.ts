/**
 * Tells where a table may be: there a bar ends the cell, and a code span with it. A client would see the backticks on
 * either side of the bar as marks of other spans, and what we took for code as words.
 */
export interface TableLines {
  /** Follows the lines that were written. */
  read(line: string): void;
  /** Whether a bar on this line ends a cell. */
  hasCells(line: string): boolean;
  /** Notes that a code span with a bar was written on this line, which is no row unless the next line makes it one. */
  sayBar(): void;
  /** Whether a line, as far as it has come, would make a row of a line that holds such a span. */
  wouldBegin(line: string): boolean;
}

/** The line between a table's head and its rows. */
const DELIMITER = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** The beginning of such a line, as the most liberal client reads it. */
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

/** Whether a bar stands in the text that ends a cell: an escaped one does not, one behind an escaped backslash does. */
export function hasBar(text: string): boolean {
  return /(?<!(?<!\\)\\)\|/.test(text);
}
