import { isIP } from "node:net";
import { ipv4Of, ipv6Groups, MAPPED, matchAddresses, NAT64, plainAddress, TRANSLATED } from "../address.ts";

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
