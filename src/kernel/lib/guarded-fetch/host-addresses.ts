import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ipv4Of, ipv6Groups, MAPPED, matchAddresses, NAT64, plainAddress, TRANSLATED } from "../address.ts";
import { plainHost } from "../host-name.ts";
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

/**
 * `private`: someone's own network, this machine included. `reserved`: never an ordinary machine, such as
 * link-local (where clouds keep credentials), multicast, unspecified, documentation.
 */
type AddressKind = "public" | "private" | "reserved";

const isPrivate = matchAddresses([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1",
  "fc00::/7",
  "fec0::/10",
]).matches;
const isReserved = matchAddresses([
  "0.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  // Teredo, which carries an obscured IPv4 address, and other IETF protocols; then documentation.
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20",
]).matches;
/** The only IPv6 addresses in public use. */
const isGlobalIpv6 = matchAddresses(["2000::/3"]).matches;

/** The kind of an address, or of the IPv4 address that it carries. */
export function addressKind(address: string): AddressKind {
  const inner = embeddedIpv4(address) ?? plainAddress(address);
  const version = isIP(inner);
  if (version === 0 || isReserved(inner)) return "reserved";
  if (isPrivate(inner)) return "private";
  return version === 4 || isGlobalIpv6(inner) ? "public" : "reserved";
}

/** The IPv4 address at which a packet to this IPv6 address may end: mapped, compatible, translated, NAT64 or 6to4. */
export function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(plainAddress(address));
  if (groups === undefined) return undefined;
  const [first, second, third] = groups;
  if (first === 0x2002) return ipv4Of(second, third);
  const head = groups.slice(0, 6).join(":");
  const isCompatible = head === "0:0:0:0:0:0" && groups[6] !== 0;
  return [MAPPED, TRANSLATED, NAT64].includes(head) || isCompatible
    ? ipv4Of(groups[6], groups[7])
    : undefined;
}
