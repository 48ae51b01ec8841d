import { CONNECTOR_KINDS } from "./connectors/connectors.ts";

/** What kinds of places pages come from. */
export const SOURCE_KINDS = [
  "folder",
  "website",
  "llms-txt",
  "git",
  "archive",
  "upload",
  "openapi",
  "demo",
  ...CONNECTOR_KINDS,
] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What a person may say that a source is. */
export const ADDABLE_KINDS = SOURCE_KINDS.filter((kind) => kind !== "demo" && kind !== "upload");

/** What makes a source: the same place as another version or language is another one. */
export interface SourceSpec {
  siteId: number;
  kind: SourceKind;
  /** A folder, a file, an address; of git also `#branch` and `:subfolder` behind it; of an upload, its given name. */
  location: string;
  version: string;
  language: string;
}

/** What an operator sets of a source besides. Credentials are named here, never held. */
export interface SourceOptions {
  /** The environment variable that holds what is sent as Authorization. */
  authorizationVariable?: string | undefined;
  /**
   * An admin key named it: a place on this machine is read only while it lies below what `source_roots` gives to its
   * organization, and its variable is sent only while `source_variables` allows that.
   */
  confined?: true | undefined;
  /** Whom its pages are for: those in one of these groups. Absent: everyone, but for what its pages say themselves. */
  groups?: readonly string[] | undefined;
  /** What its owner said of a docs generator's configuration that only a run would tell, by what was asked. */
  answers?: Readonly<Record<string, string>> | undefined;
  /** The address at which its pages are published: they have the addresses and ids that the site gives them. */
  published?: string | undefined;
}

/** Where a site's pages come from. */
export interface Source extends SourceSpec {
  id: number;
}

/** Where a page came from. */
export interface PageSource {
  kind: string;
  location: string;
  /** Whether the source is read with a credential: then not everybody may see it. */
  hasCredential: boolean;
}
