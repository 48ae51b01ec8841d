import { describe, expect, test } from "bun:test";
import {
  clientAddress,
  countedAddress,
  matchAddresses,
  plainAddress,
} from "../../../src/kernel/lib/address.ts";

const MATCHES: [entry: string, inside: string[], outside: string[]][] = [
  [
    "10.0.0.0/8",
    ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
    ["9.255.255.255", "11.0.0.0", "::a01:203"],
  ],
  ["192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7", "::FFFF:192.0.2.7"], ["192.0.2.6", "192.0.2.70"]],
  ["192.0.2.7/32", ["192.0.2.7"], ["192.0.2.8"]],
  ["192.0.2.129/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127"]],
  ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1", "2001:db8::1"]],
  ["2001:db8::/32", ["2001:db8::1", "2001:0DB8:ffff::"], ["2001:db9::", "10.0.0.1"]],
  ["fe80::/10", ["fe80::1%eth0", "febf::1"], ["fec0::1"]],
  ["::1", ["::1", "0:0:0:0:0:0:0:1"], ["::2", "127.0.0.1"]],
  ["::/0", ["::1", "2001:db8::1", "127.0.0.1"], []],
  ["::ffff:192.0.2.0/120", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.3.7"]],
  ["::ffff:192.0.2.7", ["192.0.2.7"], ["192.0.2.8"]],
];

const FAULTS = [
  "",
  "docs.example.com",
  "10.0.0.0/33",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0.0/8.0",
  "10.0.0.0/ 8",
  "10.0.0/8",
  "10.0.0.256",
  "010.0.0.1",
  "2001:db8::/129",
  "2001:db8:::1",
  "[::1]",
  "*",
];

describe("lists of addresses and networks", () => {
  for (const [entry, inside, outside] of MATCHES) {
    test(`${entry} has what is in it and nothing else`, () => {
      const { matches, fault } = matchAddresses([entry]);
      expect(fault).toBeUndefined();
      expect(inside.filter((address) => !matches(address))).toEqual([]);
      expect(outside.filter((address) => matches(address))).toEqual([]);
    });
  }

  for (const entry of FAULTS) {
    test(`${JSON.stringify(entry)} is a fault, and a list with a fault has nothing in it`, () => {
      const { matches, fault } = matchAddresses(["127.0.0.1", entry]);
      expect(fault).toBe(entry);
      expect(matches("127.0.0.1")).toBe(false);
    });
  }

  test("an empty list has nothing in it", () => {
    expect(matchAddresses([]).matches("127.0.0.1")).toBe(false);
  });

  test("what is no address is in no list", () => {
    const { matches } = matchAddresses(["0.0.0.0/0", "::/0"]);
    for (const address of ["", "unknown", "localhost", "1.2.3", "10.0.0.1:80"])
      expect(matches(address)).toBe(false);
  });
});

describe("the address that is counted", () => {
  const COUNTED: [address: string, counted: string][] = [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7%eth0", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:ffff::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "192.0.2.7"],
    ["64:ff9b::c000:207", "192.0.2.7"],
    ["64:ff9b:1::192.0.2.7", "64:ff9b:1:0::/64"],
    ["2001:db8::192.0.2.7", "2001:db8:0:0::/64"],
    ["unknown", "unknown"],
  ];
  for (const [address, counted] of COUNTED) {
    test(`${address} counts as ${counted}`, () => {
      expect(countedAddress(address)).toBe(counted);
    });
  }

  test("the spellings of one IPv6 address count as one", () => {
    const spellings = [
      "2001:db8::8:800:200c:417a",
      "2001:DB8:0:0:8:800:200C:417A",
      "2001:0db8:0000:0000:0008:0800:200c:417a",
    ];
    expect(new Set(spellings.map(countedAddress)).size).toBe(1);
  });

  test("an address is plain without its zone", () => {
    expect(plainAddress("fe80::1%eth0")).toBe("fe80::1");
  });
});

describe("the client's address", () => {
  const { matches: isProxy } = matchAddresses(["10.0.0.0/8", "2001:db8:aaaa::/48"]);
  const client = (peer: string, forwardedFor: string | null) =>
    clientAddress(peer, forwardedFor, isProxy).address;

  test("without a header it is the peer", () => {
    expect(clientAddress("203.0.113.9", null, isProxy)).toEqual({
      address: "203.0.113.9",
      ignoredHeader: false,
    });
    expect(clientAddress("::ffff:10.0.0.1", null, isProxy)).toEqual({
      address: "10.0.0.1",
      ignoredHeader: false,
    });
  });

  test("a header from a peer that is no named proxy is not believed, and that is said", () => {
    expect(clientAddress("203.0.113.9", "198.51.100.1", isProxy)).toEqual({
      address: "203.0.113.9",
      ignoredHeader: true,
    });
    expect(clientAddress("203.0.113.9", "198.51.100.1", () => false).ignoredHeader).toBe(true);
  });

  const FORWARDED: [name: string, forwardedFor: string, address: string][] = [
    ["a named proxy is believed", "198.51.100.1", "198.51.100.1"],
    ["what the client wrote before it does not count", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["a client cannot pass for a proxy", "1.1.1.1, 10.9.9.9, 198.51.100.1", "198.51.100.1"],
    ["a chain of named proxies is followed to its end", "198.51.100.1, 10.0.0.2, 10.0.0.3", "198.51.100.1"],
    ["a chain of nothing but proxies ends at the first", "10.0.0.5, 10.0.0.6", "10.0.0.5"],
    [
      "behind a chain, what the client wrote does not count",
      "10.1.1.1, 198.51.100.1, 10.0.0.2",
      "198.51.100.1",
    ],
    ["an unreadable hop ends the search at what is known", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
    ["an unreadable header leaves the peer", "garbage", "10.0.0.1"],
    ["an empty header leaves the peer", "", "10.0.0.1"],
    ["empty hops leave the peer", ",,", "10.0.0.1"],
    ["a port is no part of an address", "198.51.100.1:5123", "198.51.100.1"],
    ["IPv6 stands in brackets with a port", "[2001:db8::7]:443", "2001:db8::7"],
    ["IPv6 stands in brackets without a port", "[2001:db8::7]", "2001:db8::7"],
    ["IPv6 stands by itself", "2001:db8::7", "2001:db8::7"],
    ["IPv4 in IPv6 is IPv4", "::ffff:198.51.100.1", "198.51.100.1"],
    ["an IPv6 proxy is a proxy", "198.51.100.1, 2001:db8:aaaa::1", "198.51.100.1"],
    ["spaces do not matter", "  198.51.100.1  ,10.0.0.2 ", "198.51.100.1"],
  ];
  for (const [name, forwardedFor, address] of FORWARDED) {
    test(name, () => {
      expect(client("10.0.0.1", forwardedFor)).toBe(address);
    });
  }

  test("a peer that comes as IPv4 in IPv6 is the same proxy", () => {
    expect(client("::ffff:10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  });
});
