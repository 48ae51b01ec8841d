import type { ReadingWords } from "@docent/reading/markdown/render/render";

/** The reader's own words. `{…}` is filled in. */
export interface ReaderLabels extends ReadingWords {
  skip: string;
  menu: string;
  close: string;
  search: string;
  resultsFor: string;
  results: string;
  corrected: string;
  noResults: string;
  searchBusy: string;
  onThisPage: string;
  overview: string;
  previous: string;
  next: string;
  more: string;
  pages: string;
  noPages: string;
  version: string;
  language: string;
  theme: string;
  system: string;
  light: string;
  dark: string;
  copy: string;
  copied: string;
  published: string;
  edit: string;
  /** Of the document that a page was made of. */
  original: string;
  path: string;
  nearest: string;
  links: string;
  signIn: string;
  signInNeeded: string;
  signInFailed: string;
  signInWith: string;
  signInAt: string;
  signedInAs: string;
  signOut: string;
  forMembers: string;
  missing: string;
}
