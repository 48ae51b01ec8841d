import type { Clock } from "../../../src/kernel/lib/clock.ts";
import { createGuardedFetch } from "../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import type { ReadServerPage } from "../../../src/reading/connectors/connector.ts";
import {
  type ConnectorKind,
  type ListedPage,
  loadConnector,
  type ServerPages,
  writeHere,
} from "../../../src/reading/connectors/connectors.ts";
import { createServerAccess } from "../../../src/reading/sources/connected/server-access.ts";
import { createPoliteFetch } from "../../../src/reading/sources/crawl/crawl.ts";
import type { WikiServer } from "../../contract/connector.ts";

const PAGES_MAX = 1000;

/** Opens a server as a source does, at a place of it or where it says that it is. */
export async function openServer(
  kind: ConnectorKind,
  { address, secret }: Pick<WikiServer, "address" | "secret">,
  { place, onWait, clock }: { place?: string; onWait?: (ms: number) => void; clock?: Clock } = {},
): Promise<ServerPages> {
  const connector = await loadConnector(kind);
  const url = new URL(place ?? address, address);
  const fetch = createPoliteFetch({
    get: createGuardedFetch({ seal: UNSEALED, hosts: [url.host], privateHosts: ["127.0.0.1"] }),
    sleep: async (ms) => onWait?.(ms),
    ...(clock === undefined ? {} : { clock }),
  });
  const { signal } = new AbortController();
  const access = (headers: Readonly<Record<string, string>>) =>
    createServerAccess({ fetch, headers, bytesMax: 50_000_000, signal });
  const headers = (await connector.signIn?.(secret, access({}), url)) ?? {
    authorization: `Bearer ${secret}`,
  };
  return connector.open(url, access(headers), { pagesMax: PAGES_MAX, write: writeHere });
}

/** A page that is one. */
export async function readPage(pages: ServerPages, page: ListedPage): Promise<ReadServerPage> {
  const read = await pages.read(page);
  if ("noPage" in read) throw new Error(`${page.title} ${read.noPage}`);
  return read;
}

/** The words of a page by its title, as it is read. */
export async function readTitled(pages: ServerPages, title: string): Promise<string> {
  const listed = (await pages.list()).pages.find((page) => page.title === title);
  if (listed === undefined) throw new Error(`${title} is not listed`);
  return (await readPage(pages, listed)).markdown;
}
