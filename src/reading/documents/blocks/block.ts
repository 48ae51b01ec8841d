/** Words of a paragraph that look alike. */
export interface WordsSpan {
  text: string;
  strong?: boolean;
  emphasis?: boolean;
  code?: boolean;
  /** Where a link leads, as written. */
  href?: string | undefined;
}

/** A piece of a paragraph. */
export type Span = WordsSpan | { lineBreak: true } | { note: string } | { place: string };

/** A paragraph that is an item of a list. */
export interface ListItem {
  /** 0 for the outermost list. */
  level: number;
  /** Of an ordered list. */
  number?: number | undefined;
  /** What stands before it where that is no plain number: `a)`, `1.2`. */
  label?: string | undefined;
  spans: readonly Span[];
}

export interface Cell {
  blocks: readonly Block[];
  columns?: number;
  /** Goes on from the cell above. */
  isContinued?: boolean;
}

export interface Row {
  cells: readonly Cell[];
}

export interface Table {
  rows: readonly Row[];
}

/** What a document is made of. */
export type Block =
  | { kind: "heading"; level: number; spans: readonly Span[]; id?: string | undefined }
  | { kind: "paragraph"; spans: readonly Span[] }
  | ({ kind: "item" } & ListItem)
  | { kind: "code"; text: string }
  | { kind: "table"; table: Table }
  | { kind: "markdown"; text: string };
