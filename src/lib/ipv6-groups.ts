import { isIP } from "node:net";

// The first six numbers of IPv6 addresses that hold an IPv4 address in the last two.
/** `::ffff:0:0/96`: an IPv4 address as systems write it that speak IPv6. */
export const MAPPED = "0:0:0:0:0:65535";
/** `::ffff:0:0:0/96`: the same, for a translator without state. */
export const TRANSLATED = "0:0:0:0:65535:0";
/** `64:ff9b::/96`: a server or client of IPv4 behind a translator. */
export const NAT64 = "100:65435:0:0:0:0";

/** The eight numbers of an IPv6 address without a zone, however it is spelled; undefined for what is none. */
export function ipv6Groups(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined;
  // An address in a URL comes out in its one canonical spelling, without dots.
  const [head = "", tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const left = numbers(head);
  const right = numbers(tail ?? "");
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** The IPv4 address that two of those numbers hold. */
export function ipv4Of(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The IPv4 address at the end of an IPv6 address whose first six numbers are these. */
export function ipv4Behind(head: string, address: string): string | undefined {
  const groups = ipv6Groups(address);
  return groups?.slice(0, 6).join(":") === head ? ipv4Of(groups?.[6], groups?.[7]) : undefined;
}

const numbers = (groups: string) =>
  groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
