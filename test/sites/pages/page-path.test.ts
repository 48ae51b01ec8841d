import { describe, expect, test } from "bun:test";
import { decodePercent } from "../../../src/kernel/text/decode-percent.ts";
import { encodePath, normalizePath, pathInAddress } from "../../../src/reading/page/page-path.ts";

describe("a page's path", () => {
  const NORMAL: [given: string, path: string][] = [
    ["guide/install", "guide/install"],
    ["/guide/install/", "guide/install"],
    ["//guide/install//", "guide/install"],
    ["guide/install.md", "guide/install"],
    ["guide/install.MDX", "guide/install"],
    ["guide/install.html", "guide/install"],
    ["guide/install.markdown", "guide/install"],
    ["guide/v1.2", "guide/v1.2"],
    ["guide/index.html", "guide"],
    ["guide/index", "guide"],
    ["/guide/Index.md/", "guide"],
    ["index", ""],
    ["/", ""],
    ["", ""],
    ["guide/my-index", "guide/my-index"],
    ["guide/install?tab=1#top", "guide/install"],
    ["#top", ""],
    ["guide\\install", "guide/install"],
    ["Guide/Größe", "Guide/Größe"],
  ];
  for (const [given, path] of NORMAL) {
    test(`${JSON.stringify(given)} is ${JSON.stringify(path)}`, () => {
      expect(normalizePath(given)).toBe(path);
    });
  }

  test.each([
    ["/library/os.html", "library/os.html"],
    ["/library/os.htm?x=1#y", "library/os.htm"],
    ["/library/os", "library/os"],
    ["/library/os/", "library/os"],
    ["/library/index.html", "library"],
    ["/index.html", ""],
    ["/library/os.md", "library/os"],
    ["", ""],
  ])("in an address keeps the extension that it is published with: %s", (address, path) => {
    expect(pathInAddress(address)).toBe(path);
  });

  test("is the same when it is made normal again", () => {
    for (const [given] of NORMAL) expect(normalizePath(normalizePath(given))).toBe(normalizePath(given));
  });

  for (const [name, piece] of [
    ["slashes", "/"],
    ["backslashes", "\\"],
    ["index files", "/index"],
    ["extensions", ".md"],
    ["per cent signs", "%"],
  ] as const) {
    // What grows with the square of the length would take minutes.
    test(`is found in time that grows with its length alone: ${name}`, () => {
      const path = `x${piece.repeat(400_000 / piece.length)}x`;
      expect(normalizePath(decodePercent(path)).length).toBeGreaterThan(0);
    });
  }

  test("is written in an address so that it is read as it was", () => {
    for (const path of ["guide/install", "a b/c(d)", "größe/日本", "50%/a#b?c", "it's!*", "../x", ""]) {
      const encoded = encodePath(path);
      expect(encoded).toMatch(/^[A-Za-z0-9._~%/-]*$/);
      expect(decodePercent(encoded)).toBe(path);
    }
  });

  test("that is not encoded well is what it is", () => {
    for (const path of ["50%", "%zz", "%C3"]) expect(decodePercent(path)).toBe(path);
  });
});
