import type { ReadsWords } from "../generators/built-site.ts";

/** Another program that shows pages of a format, as the judge of what Docent shows of them. */
export interface FormatJudge extends ReadsWords {
  /** Its folder below `test/fixtures/formats`. */
  name: string;
  /** What has to be here, for people. */
  needs: string;
  /** Whether a file is a page: others are what pages include. */
  isPage(file: string): boolean;
  /** The command that writes a page as HTML, in the page's folder. */
  command(rendering: Rendering): Promise<readonly string[]> | readonly string[];
}

export interface Rendering {
  /** The page's place on this machine. */
  page: string;
  /** Where its HTML is to be. */
  out: string;
}
