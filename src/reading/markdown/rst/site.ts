import type { RstDirective, RstWriting } from "./writing.ts";

/** What a page takes from the site that it is part of. All calls are made in the order of the text. */
export interface RstSite {
  /** A target with a name, on which an address may be written. Returns its id. */
  target(name: string, hasAddress: boolean): string;
  /** A target within words. Returns its id. */
  inlineTarget(name: string): string;
  /** Something that only takes a number of the page's ids. */
  numbered(): void;
  /** The id of a section with a title of this Markdown. */
  section(level: number, title: string): string;
  /** The ids of a described thing, the first its own; undefined leaves it to the usual rule. */
  object(name: string, signature: string): readonly string[] | undefined;
  /** Whatever else comes after a target. */
  otherBlock(): void;
  /** What a role says, as Markdown; undefined leaves it to the usual rule. */
  role(name: string, text: string): string | undefined;
  /** The page's own places by name; undefined for a name that is given twice. */
  anchors: ReadonlyMap<string, string | undefined>;
  /** The role of words that name none. */
  defaultRole: string | undefined;
  /** Writes a directive; false leaves it to the usual rule. */
  directive(directive: RstDirective, depth: number, out: string[], writing: RstWriting): boolean;
}
