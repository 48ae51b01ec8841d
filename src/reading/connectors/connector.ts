import type { ZodType } from "zod";
import type { PageWriter, RenderedPage, WrittenPage } from "./rendered.ts";

/*
 * What knows the servers of one kind, a wiki or a tracker, through the API that they document. A new one is a folder here,
 * a line in kinds.ts and in connectors.ts, and a run of the contract suite; docs/connectors.md leads through it.
 */

export interface Connector {
  /**
   * The headers that requests are signed in with, for what the source's variable holds. Left out, a bearer's token is
   * sent, or what is held as it is where it names its scheme.
   */
  signIn?(secret: string, server: ServerAccess, address: URL): Promise<Readonly<Record<string, string>>>;
  /** Finds the API of the server at an address, and the part of it that the address names. */
  open(address: URL, server: ServerAccess, bounds: ServerBounds): Promise<ServerPages>;
  /** Makes Markdown of a page as the server shows it, of a kind that shows HTML. It knows no more than what it is given. */
  writePage?(page: RenderedPage): WrittenPage;
}

export interface ServerBounds {
  /** Makes Markdown of what a server shows of a page. */
  write: PageWriter;
  /** A list that has come to more pages than this is not asked on: the run ends, and says so. */
  pagesMax: number;
}

/** The pages of a server, or of the part of it that a source names. */
export interface ServerPages {
  /** The program, with its version where it says it: "MediaWiki 1.43.1". */
  program: string;
  /** All pages that are there for whoever signed in, without their words. */
  list(): Promise<ServerListing>;
  read(page: ListedPage): Promise<ReadServerPage | NoPage>;
  /**
   * What has changed since then, by the server's own list of changes; undefined where it does not reach back so far.
   * Left out where a server has no list that would show what was taken away: then `list` tells.
   */
  changedSince?(time: string): Promise<ServerChanges | undefined>;
}

export interface ListedPage {
  /** Names the page to its server, as long as it exists. */
  id: string;
  /** Where people read it in a browser. */
  address: string;
  title: string;
  /** When it was last changed, by the server's clock: ISO 8601, in UTC. */
  changedAt: string;
  /** Differs with every change that readers could see; of its images as well, unless their addresses do. */
  revision: string;
}

export interface ServerListing {
  pages: ListedPage[];
  /** What the server has besides, and why that is not read. */
  leftOut: ServerLeftOut[];
  /** Empty where the server has no order of its pages. */
  menu: ServerMenuEntry[];
  /** Addresses that lead to a page from elsewhere. */
  redirects: { from: string; to: string }[];
}

export interface ServerLeftOut {
  address: string;
  /** Completes "<address> …" for people: "is a draft". */
  detail: string;
  /** Whether it was a page that not everyone who signs in may read. */
  isRestricted?: boolean;
}

export interface ServerMenuEntry {
  label: string;
  /** Of the page; a heading of the menu has none. */
  address?: string | undefined;
  children: ServerMenuEntry[];
}

export interface ServerChanges {
  /** Each page that was changed or added, as it is listed now. */
  pages: ListedPage[];
  /** The addresses of what was taken away, moved, or hidden from whoever signed in. */
  removed: string[];
}

export interface ReadServerPage {
  /** Front matter: `title`, `tags`, `language`; of a question `kind` and `answered`. */
  data: Record<string, unknown>;
  /** The body. Links and images have their whole address; those to pages, the one by which these are listed. */
  markdown: string;
  /** What could not be read of it, for its author. */
  faults: string[];
}

/** Something that was listed, and turned out to be no page when it was read. It is read again when it has changed. */
export interface NoPage {
  /** Completes "<address> …" for people: "has no answer". */
  noPage: string;
}

/** What a request sends besides its address. */
export interface ServerRequest {
  /** Sent as JSON, in a POST. */
  json?: unknown;
  /** Sent as the fields of a form, in a POST. */
  form?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
}

export interface ServerReply {
  /** 200 to 299, 404 or 410: whatever else a server says ends the run, or the reading of the page. */
  status: number;
  /** The final address. */
  url: string;
  headers: Headers;
  body: Uint8Array;
}

/**
 * Asks one server, politely: few requests at once, slower where it asks for that, again where a failure may pass. Nothing is
 * sent to another host, but to those of `apiHostsOf` and, without the sign-in, of `fileHostsOf`. A reply has a bound on its
 * bytes, and a time.
 */
export interface ServerAccess {
  /** The reply as it is. Raises where there is none, and where the server refuses. */
  ask(address: string | URL, request?: ServerRequest): Promise<ServerReply>;
  /** JSON, as its schema describes it. Raises where the server has nothing there, or something else. */
  json<T>(address: string | URL, schema: ZodType<T>, request?: ServerRequest): Promise<T>;
  /** From now on requests begin this far apart, for servers that say how many they take. */
  keepApart(ms: number): void;
}
