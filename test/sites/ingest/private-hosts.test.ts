import { expect, test } from "bun:test";
import { loadConfig } from "../../../src/kernel/config/load.ts";
import { privateHosts } from "../../../src/reading/allowed-places.ts";

const read = (text: string) => privateHosts(loadConfig({ DOCENT_PRIVATE_HOSTS: text }, {}, () => "").config);

test("names, addresses and networks may be named", () => {
  const text =
    "docs.internal,docs_2,localhost, 10.0.0.7 10.0.0.0/8 ::1 fd00::/8 xn--bcher-kva.internal acme=docs.acme";
  expect(read(text)).toEqual(text.split(/[\s,]+/));
  expect(read("")).toEqual([]);
});

test.each([
  "10.0.0.0/99",
  "10.0.0.0/8/8",
  "http://docs.internal/",
  "docs.internal:8080",
  "docs.internal/guide",
  "[::1]",
  "*",
  "*.internal",
  "acme=",
  "acme=*",
])("an entry that could match nothing is refused by its name: %s", (entry) => {
  expect(() => read(`127.0.0.0/8,${entry}`)).toThrow(`private_hosts: ${entry} is not`);
});
