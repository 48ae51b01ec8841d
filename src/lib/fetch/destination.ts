import { isIP } from "node:net";
import { matchAddresses } from "../address.ts";
import { addressKind, embeddedIpv4 } from "./address-kind.ts";
import { FetchFault } from "./fetch-fault.ts";
import type { Resolve } from "./resolve.ts";

/** An address that may be fetched, and where exactly it is. */
export interface Destination {
  url: URL;
  /** Each was checked: a connection goes to one of these, whatever the name stands for a moment later. */
  addresses: string[];
}

export interface DestinationRules {
  /** The hosts that may be fetched, `host` or `host:port`. Without a port it is the ports of http and https. */
  hosts: readonly string[];
  /** Host names, addresses and networks that may be private. */
  privateHosts: readonly string[];
  resolve: Resolve;
}

/** Checks addresses before anything is sent to them. Throws a FetchFault for one that may not be fetched. */
export function createDestinations(rules: DestinationRules): (url: string) => Promise<Destination> {
  const hosts = new Set(rules.hosts.map((host) => host.toLowerCase()));
  const entries = rules.privateHosts.map((entry) => entry.toLowerCase());
  const isNetwork = (entry: string) => entry.includes("/") || isIP(entry) !== 0;
  const privateNames = new Set(entries.filter((entry) => !isNetwork(entry)));
  const isNamedAddress = matchAddresses(entries.filter(isNetwork)).matches;

  return async (text) => {
    const url = parse(text);
    if (!hosts.has(url.host) && !hosts.has(`${url.hostname}:${url.port || defaultPort(url)}`))
      throw new FetchFault("outside", `${url.host} is not a host of this source: name it there to fetch it`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(host) === 0 ? await resolveName(host, rules.resolve) : [host];
    for (const address of addresses) check(host, address);
    return { url, addresses };
  };

  /** A named host may be on a private network. Where it may not be is named by address: a name can be turned there. */
  function check(host: string, address: string): void {
    const kind = addressKind(address);
    if (kind === "public" || isNamedAddress(address) || isNamedAddress(embeddedIpv4(address) ?? "")) return;
    if (kind === "private" && privateNames.has(host)) return;
    const what = host === address ? `${address} is` : `${host} is at ${address},`;
    const remedy = kind === "private" && host !== address ? "the host or the address" : "the address";
    throw new FetchFault("refused", `${what} a ${kind} address: name ${remedy} in private_hosts to allow it`);
  }
}

function parse(text: string): URL {
  if (!URL.canParse(text)) throw new FetchFault("refused", `${text.slice(0, 200)} is not an address`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchFault("refused", `${url.protocol} addresses are not fetched, only http and https`);
  if (url.username !== "" || url.password !== "")
    throw new FetchFault("refused", `an address with a password in it is not fetched: ${url.host}`);
  // "docs.example." is the same host as "docs.example", and certificates name the latter.
  url.hostname = url.hostname.replace(/\.$/, "");
  url.hash = "";
  return url;
}

const defaultPort = (url: URL) => (url.protocol === "https:" ? "443" : "80");

async function resolveName(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((cause) => {
    throw new FetchFault("unreachable", `${host} does not resolve to an address`, cause);
  });
  if (addresses.length === 0) throw new FetchFault("unreachable", `${host} does not resolve to an address`);
  return addresses;
}
