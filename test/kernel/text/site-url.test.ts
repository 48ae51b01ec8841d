import { describe, expect, test } from "bun:test";
import { addressBelow, plainAddress, readSiteUrl, withoutForm } from "../../../src/kernel/text/site-url.ts";

describe("the address of a page's heading", () => {
  test.each([
    ["https://a.dev/docs", "https://a.dev/docs/guide/x#set%20up"],
    ["https://a.dev/docs/#", "https://a.dev/docs/#/guide/x?id=set%20up"],
    ["https://a.dev/?id=", "https://a.dev/guide/x?id=set%20up"],
  ])("below %s is %s, and means that heading", (siteUrl, address) => {
    expect(addressBelow(siteUrl, "/guide/x#set%20up")).toBe(address);
    expect(plainAddress(siteUrl, address)).toBe(`${withoutForm(siteUrl)}/guide/x#set%20up`);
  });

  test("keeps a page's query", () => {
    expect(addressBelow("https://a.dev/#", "/x?a=1#b")).toBe("https://a.dev/#/x?a=1&id=b");
  });

  test("of the first page is where readers enter", () => {
    expect(addressBelow("https://a.dev/#", "/")).toBe("https://a.dev/#/");
    expect(plainAddress("https://a.dev/#", "https://a.dev/#/")).toBe("https://a.dev/");
  });
});

test("an address elsewhere, or of another kind of site, is as it was", () => {
  expect(plainAddress("https://a.dev/#", "https://a.dev/x.html#y")).toBe("https://a.dev/x.html#y");
  expect(plainAddress("https://a.dev", "https://a.dev/#/x?id=y")).toBe("https://a.dev/#/x?id=y");
  expect(plainAddress(undefined, "/x?id=y")).toBe("/x?id=y");
});

test("a URL that was kept is read as it is", () => {
  for (const url of ["https://a.dev/docs", "https://a.dev/docs/#", "https://a.dev/?id="])
    expect(readSiteUrl(url)?.url).toBe(url);
});
