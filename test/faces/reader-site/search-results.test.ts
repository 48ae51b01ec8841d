import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bundleWeb } from "../../../src/faces/bundle.ts";
import { foundOption, readFound } from "../../../src/faces/reader-site/search/results.ts";
import { registerDom } from "../../helpers/dom.ts";

const READER_BYTES_MAX = 10_000;
const FOUND = {
  title: "Install",
  headings: ["On Linux"],
  content: "Run it as root.",
  href: "/sites/a/install#linux",
  highlights: [[0, 3]] as [number, number][],
};

let unregister: () => Promise<void>;
beforeAll(() => {
  unregister = registerDom();
});
afterAll(() => unregister());

describe("what the search box is told", () => {
  test("is read as it is", () => {
    expect(readFound({ results: [FOUND] })).toEqual({ found: [FOUND], corrected: undefined });
    expect(readFound({ results: [FOUND], corrected: "install" }).corrected).toBe("install");
    expect(readFound({ results: [FOUND], corrected: { toString: "x" } }).corrected).toBeUndefined();
  });

  for (const [what, change] of Object.entries({
    "leads to another server": { href: "https://elsewhere.example/" },
    "leads to another server without saying how": { href: "//elsewhere.example/" },
    "leads to another server with a backslash": { href: "/\\elsewhere.example/" },
    "runs something": { href: "javascript:alert(1)" },
    "has no title": { title: undefined },
    "has headings that are none": { headings: [{}] },
    "has places that are none": { highlights: [["0", "3"]] },
  }))
    test(`is left out where it ${what}`, () => {
      expect(readFound({ results: [{ ...FOUND, ...change }, FOUND] }).found).toEqual([FOUND]);
    });

  test("may be anything", () => {
    for (const reply of [null, 1, "x", [], {}, { results: {} }, { results: [null, []] }])
      expect(readFound(reply)).toEqual({ found: [], corrected: undefined });
  });

  test("is shown as text, with its words marked", () => {
    const attack = "<img src=x onerror=alert(1)>";
    const option = foundOption(
      { ...FOUND, title: attack, headings: [attack], content: `${attack} root`, highlights: [[29, 33]] },
      "id",
    );
    expect(option.querySelector("img")).toBeNull();
    expect(option.textContent).toBe(`${attack}${attack}${attack} root`);
    expect(option.querySelector("mark")?.textContent).toBe("root");
    expect(option.getAttribute("role")).toBe("option");
  });
});

test("a page of the reader loads at most 10 KB of scripts of its own", async () => {
  const files = await bundleWeb();
  const script = files.find(({ name }) => /^reader-\w+\.js$/.test(name));
  expect(script).toBeDefined();
  if (script) expect(Bun.gzipSync(script.bytes, { level: 9 }).length).toBeLessThanOrEqual(READER_BYTES_MAX);
});
