/** The words of the palette. What stands in braces is filled in. */
interface PaletteLabels {
  search: string;
  searchPlaceholder: string;
  askRow: string;
  recent: string;
  starters: string;
  found: string;
  nothingFound: string;
  corrected: string;
  allResults: string;
  searchFailed: string;
  close: string;
  toChoose: string;
  toOpen: string;
  toAsk: string;
}

export type PaletteSay = (name: keyof PaletteLabels, filled?: Record<string, string | number>) => string;
