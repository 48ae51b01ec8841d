import { describe, expect, test } from "bun:test";
import { checkSentHere, createHostMatcher, hostNameOf } from "../../src/doors/guard/host-check.ts";

const PUBLIC_URL = "https://docent.example/base";
const named = (bound: string, others: string[] = []) =>
  createHostMatcher({ host: bound, public_url: PUBLIC_URL, admin_hosts: others });

describe("hosts that are named", () => {
  test.each(["localhost", "127.0.0.1", "127.9.9.9", "::1", "192.0.2.7", "docent.example", "inside.example"])(
    "%s is: loopback, the bound address, the public URL's, or one that was named besides",
    (host) => expect(named("192.0.2.7", ["Inside.example:8443"])(host)).toBe(true),
  );

  test.each([
    "192.0.2.8",
    "evil.example",
    "a.docent.example",
    "docent.example.evil",
    "localhost.evil",
    "",
    "2001:db8::1",
  ])("%j is not", (host) => expect(named("192.0.2.7", ["inside.example"])(host)).toBe(false));

  test.each(["2001:DB8::1", "2001:db8:0:0::1", "[2001:db8::1]"])(
    "an IPv6 address that is written %s is, in every spelling",
    (written) => {
      for (const host of ["[2001:db8::1]:4747", "[2001:DB8:0::1]"])
        for (const is of [named(written), named("127.0.0.1", [written])])
          expect(is(hostNameOf(host) ?? "")).toBe(true);
    },
  );

  test.each(["0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0"])(
    "bound to every address (%s), each address is, and no other name",
    (bound) => {
      for (const host of ["192.0.2.8", "2001:db8::1"]) expect(named(bound)(host)).toBe(true);
      for (const host of ["evil.example", "192.0.2.8.evil.example"]) expect(named(bound)(host)).toBe(false);
    },
  );
});

test.each([
  ["Docs.Example.", "docs.example"],
  ["docs.example:8443", "docs.example"],
  ["docs.example.:8443", "docs.example"],
  ["[::1]:4747", "::1"],
  ["127.1", "127.0.0.1"],
  ["user@evil.example", undefined],
  ["a b", undefined],
  ["a/b", undefined],
  ["", undefined],
  [null, undefined],
])("the host %j is named %j", (host, expected) => expect(hostNameOf(host)).toBe(expected));

describe("where a request was sent from", () => {
  const check = (headers: Record<string, string>) =>
    checkSentHere(new Request("http://x/", { headers }), named("127.0.0.1"), PUBLIC_URL);
  const host = "docent.example";

  test.each([
    {},
    { origin: "https://docent.example" },
    { host: "docent.example:443", origin: "https://docent.example" },
    // Behind a proxy that does not pass the host on.
    { host: "127.0.0.1:4747", origin: "https://docent.example" },
    // On the machine itself, or in a network that has no certificate for it.
    { host: "127.0.0.1:4747", origin: "http://127.0.0.1:4747" },
  ])("%j is let through", (headers) => expect(() => check({ host, ...headers })).not.toThrow());

  test.each([
    { origin: "https://evil.example" },
    // Reached by https, it has no pages that whoever is between could have written.
    { origin: "http://docent.example" },
    { origin: "https://docent.example:8443" },
    { origin: "null" },
    { origin: "" },
    { origin: "docent.example" },
    { host: "localhost:4747", origin: "http://localhost:3000" },
    { host: "evil.example", origin: "https://evil.example" },
    { host: "" },
  ])("%j is refused", (headers) => {
    expect(() => check({ host, ...headers })).toThrow(expect.objectContaining({ code: "forbidden" }));
  });
});
