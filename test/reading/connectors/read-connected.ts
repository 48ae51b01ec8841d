import { createGuardedFetch } from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import type { ConnectorKind, PageWriter } from "../../../src/reading/connectors/connectors.ts";
import { isSkipped, type RecognizedDocs, type SourceReader } from "../../../src/reading/source-reader.ts";
import { createConnectedReader } from "../../../src/reading/sources/connected/connected.ts";
import type { ListingBounds } from "../../../src/reading/sources/connected/listing-bounds.ts";
import type { WikiServer } from "../../contract/connector.ts";
import { listContext } from "../../helpers/list-context.ts";
import { runReader, type SiteRun } from "../../helpers/read-site.ts";

interface Reading {
  /** Below the server's own address; without it, what the server says that a source names. */
  place?: string;
  secret?: string;
  pagesMax?: number;
  listing?: ListingBounds;
  /** Hosts besides the server's. */
  hosts?: string[];
  /** Who makes Markdown of pages. */
  write?: PageWriter;
}

export interface ConnectedRun extends SiteRun {
  docs: RecognizedDocs | undefined;
  /** What was left out: `<path and query of the address>: <why>`. */
  said: string[];
  /** The text of the page that has this title. */
  textOf(title: string): string;
}

/** A reader of a fake server that waits for nothing. */
function connectedReader(kind: ConnectorKind, server: WikiServer, reading: Reading = {}): SourceReader {
  const { place, secret = server.secret, pagesMax = 1000, listing, hosts = [], write } = reading;
  return createConnectedReader({
    kind,
    location: place === undefined ? server.address : new URL(place, server.address).href,
    get: createGuardedFetch({
      seal: UNSEALED,
      hosts: [new URL(server.address).host, ...hosts],
      privateHosts: ["127.0.0.1"],
    }),
    secret,
    write,
    pageBytesMax: 1_000_000,
    pagesMax,
    ...(listing === undefined ? {} : { listing }),
    concurrency: 4,
    sleep: async () => {},
    random: () => 0.5,
  });
}

/** Runs it once. */
export async function readConnected(
  kind: ConnectorKind,
  server: WikiServer,
  reading: Reading & { before?: SiteRun } = {},
): Promise<ConnectedRun> {
  let docs: RecognizedDocs | undefined;
  const memory = reading.before?.memory;
  const run = await runReader(connectedReader(kind, server, reading), memory, {
    ...listContext(undefined, memory),
    onRecognized: (found) => {
      if (found.generator !== undefined) docs = found;
    },
  });
  return {
    ...run,
    docs,
    said: run.skipped.map(({ location, detail }) => {
      const { pathname, search } = new URL(location);
      return `${pathname}${search} ${detail}`;
    }),
    textOf: (title) =>
      Object.values(run.texts).find((text) => text.includes(`"title":${JSON.stringify(title)}`)) ?? "",
  };
}

/** The first image of each page that shows one, while it is listed. */
export async function readImages(
  kind: ConnectorKind,
  server: WikiServer,
  reading: Reading = {},
): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  for await (const item of connectedReader(kind, server, reading).list(listContext())) {
    if (isSkipped(item)) continue;
    const text = new TextDecoder().decode(await item.read());
    const reference = /!\[[^\]]*\]\(([^)\s]+)/.exec(text)?.[1];
    const image = reference === undefined ? undefined : await item.imageFile?.(reference)?.read?.();
    if (image !== undefined) images.push(image);
  }
  return images;
}
