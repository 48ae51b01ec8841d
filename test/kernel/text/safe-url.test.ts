import { describe, expect, test } from "bun:test";
import { readUrl, safeImage, safeLink } from "../../../src/kernel/text/safe-url.ts";

const REFUSED = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "//evil.test/x",
  "\\\\evil.test/x",
  "https:\\\\evil.test",
  "https:/evil.test",
  "https://user:password@evil.test/",
  "https://docs.example.com@evil.test/",
  "HTTPS://user@evil.test",
  "https://[bad/",
  "/a\\b",
  "/a\u0007b",
  "/a\u2028b",
  "",
  "  ",
];

const ALLOWED = [
  "https://docs.example.com/a?b=c#d",
  "http://localhost:3000/",
  "mailto:docs@example.com",
  "/guide/install",
  "../a.md",
  "#anchor",
  "?page=2",
  "/a@b:c",
];

describe("an address of the text", () => {
  test.each(REFUSED)("%j leads nowhere, in the server's pages and in the browser's alike", (url) => {
    expect(safeLink(url)).toBeUndefined();
    expect(safeImage(url)).toBeUndefined();
    expect(readUrl(url)).toBeUndefined();
  });

  test.each(ALLOWED)("%j is kept as it is written", (url) => {
    expect(safeLink(url)).toBe(url);
    expect(readUrl(url)?.url).toBe(url);
  });

  test("spaces are encoded", () => {
    expect(safeLink(" /a b ")).toBe("/a%20b");
    expect(readUrl(" /a b ")?.url).toBe("/a%20b");
  });

  test("a picture is loaded over https or from the page's own site", () => {
    expect(safeImage("https://example.com/a.png")).toBe("https://example.com/a.png");
    expect(safeImage("a.png")).toBe("a.png");
    expect(safeImage("http://example.com/a.png")).toBeUndefined();
    expect(safeImage("mailto:a@b.c")).toBeUndefined();
  });

  test("an absolute one tells its origin", () => {
    expect(readUrl("https://Example.com:443/a b")).toEqual({
      url: "https://example.com/a%20b",
      origin: "https://example.com",
    });
    expect(readUrl("/a")).toEqual({ url: "/a", origin: undefined });
    expect(readUrl(`https://example.com/${"a".repeat(2000)}`)).toBeUndefined();
  });
});
