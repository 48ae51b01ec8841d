/** One file that a source lists. */
export interface SourceItem {
  path: string;
  /** Where it was found, for people: a file below the folder, an address. */
  location: string;
  format: "md" | "mdx";
  read(): Promise<Uint8Array>;
}

/** Something that a source has and that is not taken, with the reason. */
export interface Skipped {
  location: string;
  reason: string;
}

/** Lists what is at a source's location. */
export interface SourceReader {
  list(signal: AbortSignal): AsyncIterable<SourceItem | Skipped>;
}

export const isSkipped = (item: SourceItem | Skipped): item is Skipped => "reason" in item;
