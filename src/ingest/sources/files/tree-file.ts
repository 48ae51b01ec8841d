/** A file of a tree: of a folder, a commit, an archive. */
export interface TreeFile {
  /** Where it is below the root, with slashes. */
  location: string;
  sizeBytes: number;
}

/** A file of a tree that can be read in any order. */
export interface ReadableFile extends TreeFile {
  validator?: string | undefined;
  read(): Promise<Uint8Array>;
}
