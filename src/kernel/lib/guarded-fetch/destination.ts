import { plainHost, withoutFinalDot } from "../host-name.ts";
import type { Seal } from "../seal/seal.ts";
import { FetchFault } from "./fetch-fault.ts";
import { type AddressRules, createHostAddresses } from "./host-addresses.ts";

/** A URL that may be fetched, with its checked addresses. */
export interface Destination {
  url: URL;
  /** Checked addresses: a connection goes to one of these, whatever the name resolves to a moment later. */
  addresses: string[];
}

interface DestinationRules extends AddressRules {
  seal: Seal;
  /** The hosts that may be fetched, as `host` or `host:port`. Without a port, the ports of http and https. */
  hosts: readonly string[];
}

/** Checks URLs before anything is sent. Throws a FetchFault for one that may not be fetched. */
export function createDestinations(rules: DestinationRules): (url: string) => Promise<Destination> {
  const hosts = new Set(rules.hosts.map(plainHost));
  const addressesOf = createHostAddresses(rules);

  return async (text) => {
    const url = parse(text);
    // Before the name is looked up: that asks a server, too.
    const sealed = rules.seal.refusal("other", url);
    if (sealed !== undefined) throw new FetchFault("refused", sealed);
    if (!hosts.has(url.host) && !hosts.has(`${url.hostname}:${url.port || defaultPort(url)}`))
      throw new FetchFault(
        "outside",
        `it is on ${url.host}, which is another host: add that address as a source`,
      );
    return { url, addresses: await addressesOf(url.hostname) };
  };
}

function parse(text: string): URL {
  if (!URL.canParse(text)) throw new FetchFault("refused", `${text.slice(0, 200)} is not an address`);
  const url = withoutFinalDot(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchFault("refused", `${url.protocol} addresses are not fetched, only http and https`);
  if (url.username !== "" || url.password !== "")
    throw new FetchFault("refused", `an address with a password in it is not fetched: ${url.host}`);
  url.hash = "";
  return url;
}

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");
