import type { DocsPage } from "../docs-site.ts";
import { joinLocation } from "../docs-tree.ts";
import type { Locale } from "./locales.ts";

/** A page with what its links are resolved by. */
export interface PublishedPage extends DocsPage {
  /** What it is called where neither its front matter nor a heading says. */
  title?: string;
  /** Its file below the folders that it may be in. */
  below: string;
  /** The folders in which links to files are looked up: of translations, and of the main language. */
  contentRoots: readonly string[];
  /** Whether its address ends in a slash, which links to addresses are relative to. */
  isFolder: boolean;
}

/** A page as a language shows it. */
export interface ShownPage extends PublishedPage {
  /** Its address in that language, where one that is not translated is shown, too. */
  shownAt: string;
  /** Whether the language has it. */
  isOwn: boolean;
}

/** A page with its language. */
export interface PageOfLocale extends ShownPage {
  locale: Locale;
}

/** Where a page is, from its address in the main language: one that is not translated is where that has it. */
export function shownIn(
  { prefix }: Locale,
  address: string,
  isOwn: boolean,
): Pick<ShownPage, "path" | "shownAt" | "isOwn"> {
  const shownAt = joinLocation(prefix, address);
  return { path: isOwn ? shownAt : address, shownAt, isOwn };
}
