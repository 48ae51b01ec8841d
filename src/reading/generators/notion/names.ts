import { nameOf, stemOf } from "../docs-tree.ts";

/** Notion ends the name of each page and database with its id: `Title of it 0123456789abcdef0123456789abcdef.md`. */
const WITH_ID = /^(.*?)[ _]?([0-9a-f]{32})(_all)?$/;

/** What a name says of a page or a database. */
interface ExportedName {
  /** As far as it fits into a file's name. */
  title: string;
  id: string;
  /** Whether a database is there with all of its rows, and not only with those of a view. */
  hasAllRows: boolean;
}

/** Reads a name without its ending; undefined for other files, and for folders without an id. */
export function exportedName(stem: string): ExportedName | undefined {
  const [, title = "", id, all] = WITH_ID.exec(stem) ?? [];
  return id === undefined ? undefined : { title: title.trim(), id, hasAllRows: all !== undefined };
}

export const isPageName = (name: string) =>
  /\.(?:md|html)$/i.test(name) && exportedName(stemOf(name)) !== undefined;

export const isDatabaseName = (name: string) =>
  /\.csv$/i.test(name) && exportedName(stemOf(name)) !== undefined;

/** Whether a file is a page or a database of an export. */
export const isExportedName = (location: string) =>
  isPageName(nameOf(location)) || isDatabaseName(nameOf(location));

/** A large export is a zip of zips: `ExportBlock-…-Part-1.zip`. */
export const isZipPart = (name: string) => /(?:^|[-_ ])Part-\d+\.zip$/i.test(name);

/** The letters and digits of a title, by which a name without the signs that no file may have is compared. */
export const bareTitle = (title: string) =>
  title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
