import { z } from "zod";
import type { ServerLeftOut } from "../connector.ts";
import { isoTime } from "../said.ts";

/** A space of a Confluence. */
export interface Space {
  id: string;
  key: string;
  /** What its addresses call it instead of its key: in the Cloud, a space may be renamed. */
  alias?: string | undefined;
  name: string;
  /** The id of the page that it opens with. */
  home: string | undefined;
}

/** The spaces that are for everyone, and those that are left out. */
export interface AllSpaces {
  spaces: Space[];
  leftOut: ServerLeftOut[];
}

export const archivedSpace = (address: string): ServerLeftOut => ({
  address,
  detail: "is an archived space, which is left out: name it as a source to have it",
});

/** `list` is where people find them. */
export const personalSpaces = (list: string): ServerLeftOut => ({
  address: list,
  detail: "lists spaces of single people, which are left out: name one as a source to have it",
});

/** What stands in the tree of a space, or in its blog. */
export interface Content {
  id: string;
  /** A heading is only a place in the tree, such as a folder. */
  kind: "page" | "blogpost" | "heading";
  title: string;
  /** The id of what it stands below. */
  parent: string | undefined;
  /** Among what stands below the same; undefined where it was never arranged. */
  position: number | undefined;
  /** Where people open it. */
  address: string;
  /** ISO 8601, in UTC. */
  changedAt: string;
  createdAt: string;
  /** Differs with each change of its words, its labels and its attachments. */
  revision: string;
  /** Whether only some people may read it by a rule of its own; undefined where nobody says. */
  isRestricted: boolean | undefined;
}

/** What a space holds. */
export interface SpaceContents {
  contents: Content[];
  leftOut: ServerLeftOut[];
  /** Whether there is more than was asked for. */
  isCut: boolean;
}

export interface Body {
  html: string;
  labels: string[];
}

/** A Confluence, whichever API it has. Nothing is in it that whoever signed in does not see. */
export interface Confluence {
  /** "Confluence 8.5.4". */
  program: string;
  /** Where people read it, without a slash at its end. */
  base: string;
  /** Headings have the ids that are shown to people by their words: `First-steps`. */
  hasWordyIds: boolean;
  space(key: string): Promise<Space | undefined>;
  /** The space of a page, which is known by its id. */
  spaceOf(id: string): Promise<Space | undefined>;
  spaces(): Promise<AllSpaces>;
  /** What a space holds; not much more than `most` of it. */
  contents(space: Space, most: number): Promise<SpaceContents>;
  body(content: Pick<Content, "id" | "kind">): Promise<Body>;
}

/** What a page is called in a list: a blog post is asked for elsewhere than a page. */
export const pageIdOf = ({ id, kind }: Pick<Content, "id" | "kind">) =>
  kind === "blogpost" ? `${BLOG}${id}` : id;

export const readPageId = (called: string): Pick<Content, "id" | "kind"> =>
  called.startsWith(BLOG)
    ? { kind: "blogpost", id: called.slice(BLOG.length) }
    : { kind: "page", id: called };

const BLOG = "blogpost/";

export const ID = z.string().regex(/^\d{1,20}$/);

/** What the first part of a list says of where people read the Confluence. */
export async function firstBase(parts: AsyncIterable<{ base: string | undefined }>) {
  for await (const { base } of parts) return base;
  return undefined;
}

/** Where people read a Confluence, as it says itself; where it is asked, if it says nothing that could be. */
export function baseOf(said: string | undefined, root: string): string {
  const url = said === undefined ? null : URL.parse(said);
  return url !== null && /^https?:$/.test(url.protocol)
    ? (url.origin + url.pathname).replace(/\/$/, "")
    : root;
}

/** The address that a Confluence says of a page, below its own. */
export function addressOf(base: string, id: string, webui: string | undefined): string {
  const url = webui?.startsWith("/") ? URL.parse(base + webui) : null;
  const isBelow = url?.href.startsWith(`${base}/`) === true;
  return url !== null && isBelow ? url.href : `${base}/pages/viewpage.action?pageId=${id}`;
}

export const timeOf = (said: string | number | null | undefined): string => isoTime(said ?? "");
