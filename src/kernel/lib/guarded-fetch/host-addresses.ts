import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { matchAddresses } from "../address.ts";
import { plainHost } from "../host-name.ts";
import { addressKind, embeddedIpv4 } from "./address-kind.ts";
import { FetchFault } from "./fetch-fault.ts";

export interface AddressRules {
  /** Host names, addresses and networks that may be private. */
  privateHosts: readonly string[];
  resolve: Resolve;
}

/** Resolves a host to its addresses. Throws a FetchFault where one of them is forbidden. */
export function createHostAddresses(rules: AddressRules): (hostname: string) => Promise<string[]> {
  const entries = rules.privateHosts.map(plainHost);
  const isNetwork = (entry: string) => entry.includes("/") || isIP(entry) !== 0;
  const privateNames = new Set(entries.filter((entry) => !isNetwork(entry)));
  const isNamedAddress = matchAddresses(entries.filter(isNetwork)).matches;

  return async (hostname) => {
    const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
    const addresses = isIP(host) === 0 ? await resolveName(host, rules.resolve) : [host];
    for (const address of addresses) check(host, address);
    return addresses;
  };

  /**
   * A named host may be on a private network, but forbidden addresses must be allowed by address: a name can
   * be pointed at them.
   */
  function check(host: string, address: string): void {
    const kind = addressKind(address);
    if (kind === "public" || isNamedAddress(address) || isNamedAddress(embeddedIpv4(address) ?? "")) return;
    if (kind === "private" && privateNames.has(host)) return;
    if (host === address)
      throw new FetchFault(
        "refused",
        `${address} is a ${kind} address: name the address in private_hosts to allow it`,
      );
    // Owners read it: what a name stands for inside a network is the operator's to know.
    throw new FetchFault(
      "refused",
      `${host} is at an address that is not public: name the host or its address in private_hosts to allow it`,
      new Error(`${host} is at ${address}, a ${kind} address`),
    );
  }
}

async function resolveName(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((cause) => {
    throw new FetchFault("unreachable", `${host} does not resolve to an address`, cause);
  });
  if (addresses.length === 0) throw new FetchFault("unreachable", `${host} does not resolve to an address`);
  return addresses;
}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<string[]>;

/** Asks the operating system, which knows the hosts file and the network's own names. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
};
