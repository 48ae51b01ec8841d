import { describe, expect, test } from "bun:test";
import { editAddress } from "../../../src/sites/ingest/ingest.ts";

const at = (location: string, { kind = "git", hasCredential = false } = {}) =>
  editAddress({ kind, location, hasCredential }, "guide/a b.md");

describe("where a page's file is changed", () => {
  const KNOWN: [string, string][] = [
    ["https://github.com/acme/docs.git", "https://github.com/acme/docs/blob/HEAD/guide/a%20b.md"],
    ["https://github.com/acme/docs#main", "https://github.com/acme/docs/edit/main/guide/a%20b.md"],
    [
      "https://github.com/acme/docs#release/2.x:docs/en",
      "https://github.com/acme/docs/edit/release/2.x/docs/en/guide/a%20b.md",
    ],
    ["https://gitlab.com/acme/sub/docs#main", "https://gitlab.com/acme/sub/docs/-/edit/main/guide/a%20b.md"],
    ["https://gitlab.acme.example/docs.git", "https://gitlab.acme.example/docs/-/blob/HEAD/guide/a%20b.md"],
    [
      "https://codeberg.org/acme/docs#main:docs",
      "https://codeberg.org/acme/docs/_edit/main/docs/guide/a%20b.md",
    ],
  ];
  for (const [location, address] of KNOWN) test(location, () => expect(at(location)).toBe(address));

  test("is not told of other hosts, of what needs a key, and of what is on this machine", () => {
    for (const location of [
      "https://git.example.com/acme/docs#main",
      "https://codeberg.org/acme/docs",
      "git@github.com:acme/docs.git",
      "ssh://git@github.com/acme/docs.git",
      "/srv/docs",
    ])
      expect(at(location), location).toBeUndefined();
    expect(at("https://github.com/acme/docs", { hasCredential: true })).toBeUndefined();
    expect(at("https://github.com/acme/docs", { kind: "website" })).toBeUndefined();
  });
});
