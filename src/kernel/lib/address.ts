import { BlockList, isIP } from "node:net";

/** Whether an address is in a list. */
export type AddressMatcher = (address: string) => boolean;

/**
 * Reads addresses and networks such as `10.0.0.0/8`, `2001:db8::/32` or `192.0.2.7`. Returns an entry that is
 * neither as `fault`.
 */
export function matchAddresses(entries: readonly string[]): { matches: AddressMatcher; fault?: string } {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = "", bits, more] = entry.split("/");
    const family = isIP(network);
    const widest = family === 4 ? 32 : 128;
    const length = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || length < 0 || length > widest || more !== undefined)
      return { matches: () => false, fault: entry };
    list.addSubnet(network, length, family === 4 ? "ipv4" : "ipv6");
  }
  return { matches: (address) => contains(list, address) };
}

function contains(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** An address without its zone; an IPv4 address that is written as IPv6 becomes IPv4. */
export function plainAddress(address: string): string {
  const withoutZone = address.replace(/%.*$/, "");
  return ipv4Behind(MAPPED, withoutZone) ?? withoutZone;
}

/**
 * The unit in which an address is counted: an IPv4 address (also one behind a translator), or the /64 of an
 * IPv6 address, because one client has a whole /64.
 */
export function countedAddress(address: string): string {
  const received = plainAddress(address);
  const plain = ipv4Behind(NAT64, received) ?? received;
  const groups = ipv6Groups(plain)?.slice(0, 4);
  return groups === undefined ? plain : `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}

/**
 * The network of an address: an IPv4 /24 or an IPv6 /64. Someone with one address there easily gets others.
 */
export function networkOf(address: string): string {
  const counted = countedAddress(address);
  return isIP(counted) === 4 ? `${counted.slice(0, counted.lastIndexOf("."))}.0/24` : counted;
}

interface ClientAddress {
  address: string;
  /** Whether a peer that is not a named proxy sent a header with another address. */
  ignoredHeader: boolean;
}

/**
 * The address that a request counts under: the peer's or, where the peer is a named proxy, the nearest
 * address in X-Forwarded-For that is not one. A client could invent the addresses further left.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  isProxy: AddressMatcher,
): ClientAddress {
  if (forwardedFor === null) return { address: plainAddress(peer), ignoredHeader: false };
  if (!isProxy(peer)) return { address: plainAddress(peer), ignoredHeader: true };
  const hops = forwardedFor.split(",").map((hop) => withoutPort(hop.trim()));
  let client = plainAddress(peer);
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break;
    client = plainAddress(hop);
    if (!isProxy(client)) break;
  }
  return { address: client, ignoredHeader: false };
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](:\d+)?$/.exec(hop);
  if (bracketed?.[1]) return bracketed[1];
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.replace(/:\d+$/, "") : hop;
}

// The first six groups of IPv6 addresses that hold an IPv4 address in the last two.
/** `::ffff:0:0/96`: an IPv4 address as systems that speak IPv6 write it. */
export const MAPPED = "0:0:0:0:0:65535";
/** `::ffff:0:0:0/96`: the same, for a stateless translator. */
export const TRANSLATED = "0:0:0:0:65535:0";
/** `64:ff9b::/96`: an IPv4 host behind a translator. */
export const NAT64 = "100:65435:0:0:0:0";

/** The eight groups of an IPv6 address without a zone, however it is spelled; undefined for anything else. */
export function ipv6Groups(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined;
  // A URL gives the address in its canonical spelling, without dots.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const left = numbers(head);
  const right = numbers(tail ?? "");
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** The IPv4 address in two groups. */
export function ipv4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The IPv4 address at the end of an IPv6 address that begins with these six groups. */
function ipv4Behind(head: string, address: string): string | undefined {
  const groups = ipv6Groups(address);
  return groups?.slice(0, 6).join(":") === head ? ipv4Of(groups?.[6], groups?.[7]) : undefined;
}

const numbers = (groups: string) =>
  groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
