import { describe, expect, test } from "bun:test";
import { addressKind, embeddedIpv4 } from "../../../src/kernel/lib/guarded-fetch/host-addresses.ts";

describe("what kind of address it is", () => {
  test.each([
    "8.8.8.8",
    "93.184.215.14",
    "172.15.255.255",
    "172.32.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450:4001::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
  ])("%s is public", (address) => expect(addressKind(address)).toBe("public"));

  test.each([
    "127.0.0.1",
    "127.255.255.255",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "fc00::1",
    "fec0::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::a00:1",
    "64:ff9b::192.168.0.1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
  ])("%s is private", (address) => expect(addressKind(address)).toBe("private"));

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "64:ff9b:1::a00:1",
    "100::1",
    "5f00::1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "not an address",
    "",
  ])("%s is reserved", (address) => expect(addressKind(address)).toBe("reserved"));

  test("an IPv6 address without another one inside carries none", () => {
    for (const address of ["::1", "::", "2606:4700::1111", "8.8.8.8", "fe80::1"])
      expect(embeddedIpv4(address)).toBeUndefined();
    expect(embeddedIpv4("64:ff9b::a00:1")).toBe("10.0.0.1");
  });
});
