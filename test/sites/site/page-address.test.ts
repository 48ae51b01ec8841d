import { expect, test } from "bun:test";
import { pathWithin } from "../../../src/sites/site/page-address.ts";

test.each([
  ["https://docs.acme.dev", "https://docs.acme.dev/guide/install.html?x=1#apt", "guide/install.html"],
  ["https://acme.dev/docs", "https://acme.dev/docs/guide/", "guide"],
  ["https://acme.dev/docs", "/docs/a%20b", "a b"],
  ["https://docs.acme.dev/#", "https://docs.acme.dev/#/guide?id=setup", "guide"],
  [undefined, "http://127.0.0.1:4747/sites/acme/guide/install?until=9&signature=a#apt", "guide/install"],
  [undefined, "https://elsewhere.example/base/sites/acme/guide", "guide"],
  ["https://docs.acme.dev", "https://%%", ""],
])("below %p, the page at %s is %s", (url, address, path) => {
  expect(pathWithin({ url, domain: "acme" }, address)).toBe(path);
});
