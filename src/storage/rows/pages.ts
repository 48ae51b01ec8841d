import type { PageSource } from "@docent/reading/source";
import type { NavigationEntry, Page, PageEntry } from "@docent/sites/pages/pages";
import { fieldsOf, type RowOf } from "./fields.ts";
import { readStrings, translationsIn } from "./json.ts";

/** A page's row, with its translations as JSON. */
export type MarkedRow<Entry> = RowOf<Omit<Entry, "translations" | "groups">> & {
  translationsJson: string | null;
  groupsJson: string;
};

/** A row of a list of pages. */
export type EntryRow = RowOf<Omit<PageEntry, "groups">> & { groupsJson: string };

export interface NavigationRow extends MarkedRow<Omit<NavigationEntry, "frontMatter">> {
  frontMatterJson: string;
}

/** Where a page comes from. */
export interface PageSourceRow {
  kind: string;
  location: string;
  hasCredential: number;
}

export const toPageSource = (row: PageSourceRow): PageSource => ({
  ...row,
  hasCredential: row.hasCredential === 1,
});

export const toPage = ({ translationsJson, groupsJson, ...row }: MarkedRow<Page>): Page => ({
  ...fieldsOf(row),
  ...translationsIn(translationsJson),
  groups: readStrings(groupsJson),
  hidden: row.hidden === 1,
});

export const toPageEntry = ({ groupsJson, ...row }: EntryRow): PageEntry => ({
  ...fieldsOf(row),
  groups: readStrings(groupsJson),
});

export const toNavigationEntry = ({
  frontMatterJson,
  groupsJson,
  translationsJson,
  hidden,
  ...row
}: NavigationRow): NavigationEntry => ({
  ...row,
  ...translationsIn(translationsJson),
  hidden: hidden === 1,
  groups: readStrings(groupsJson),
  frontMatter: JSON.parse(frontMatterJson),
});
