import type { DocsPage } from "../docs-site.ts";

/** A page with what its links are resolved by. */
export interface PublishedPage extends DocsPage {
  /** What it is called where neither its front matter nor a heading says. */
  title?: string;
  /** The folder in which links that begin with a slash are looked up. */
  contentRoot: string;
  /** Whether its address ends in a slash, which links to addresses are relative to. */
  isFolder: boolean;
}
