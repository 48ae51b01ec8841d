import type { NavigationEntry, Page, PageSource } from "../../pages/pages.ts";
import { fieldsOf, type RowOf } from "./fields.ts";
import { translationsIn } from "./json.ts";

/** A page's row, with its translations as JSON. */
export type MarkedRow<Entry> = RowOf<Omit<Entry, "translations">> & { translationsJson: string | null };

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

export const toPage = ({ translationsJson, ...row }: MarkedRow<Page>): Page => ({
  ...fieldsOf(row),
  ...translationsIn(translationsJson),
  hidden: row.hidden === 1,
});

export const toNavigationEntry = ({
  frontMatterJson,
  translationsJson,
  hidden,
  ...row
}: NavigationRow): NavigationEntry => ({
  ...row,
  ...translationsIn(translationsJson),
  hidden: hidden === 1,
  frontMatter: JSON.parse(frontMatterJson),
});
