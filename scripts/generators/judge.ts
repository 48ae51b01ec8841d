import type { BuiltSite } from "./built-site.ts";

/** A docs generator as the judge of what Docent says of its sites. */
export interface Judge {
  /** Its folder in the cache, where that is another: several judges may share one. */
  installedAs?: string;
  /** Its folder below `test/fixtures/generators`. */
  name: string;
  /**
   * What is installed, with versions: a generator is installed anew where this changed. Lines of pip's
   * requirements, or a `package.json`.
   */
  pins: string;
  /** Installs it into an empty folder in the user's cache. Raises NotHere where it cannot be had. */
  install(folder: string, untilMs: number): Promise<void>;
  /** Builds a site, and says how its HTML is read. */
  build(build: Build): Promise<BuiltSite>;
}

export interface Build {
  /** Where the generator is installed. */
  installed: string;
  /** A copy of the site's files, which may be changed. */
  source: string;
  /** An empty folder for its HTML. */
  into: string;
  untilMs: number;
  /**
   * Whether these are somebody's real docs, whose configuration may want what is not installed; a site of ours
   * is built as it is.
   */
  isForeign: boolean;
}
