import { describe, expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { parseRobots } from "../../../src/reading/sources/crawl/robots.ts";
import { htmlPage, startFakeSite } from "../../helpers/fake-site.ts";
import { runReader, websiteReader } from "../../helpers/read-site.ts";

describe("robots.txt", () => {
  const allows = (text: string, path: string) => parseRobots(text, "Docent").allows(path);
  const all = (...rules: string[]) => ["User-agent: *", ...rules].join("\n");

  test.each([
    ["", "/a", true],
    [all("Disallow: /"), "/a", false],
    [all("Disallow: /"), "/robots.txt", true],
    [all("Disallow:"), "/a", true],
    [all("Disallow: /a"), "/abc", false],
    [all("Disallow: /a/"), "/a", true],
    // The longest rule decides, wherever it stands; of two as long, the one that allows.
    [all("Allow: /docs/", "Disallow: /"), "/docs/x", true],
    [all("Disallow: /docs/private", "Allow: /docs/"), "/docs/private/x", false],
    [all("Disallow: /same", "Allow: /same"), "/same", true],
    // Wildcards.
    [all("Disallow: /*.pdf$"), "/a/b.pdf", false],
    [all("Disallow: /*.pdf$"), "/a/b.pdf?x", true],
    [all("Disallow: /*?"), "/a?b=c", false],
    [all("Disallow: /a*b*c"), "/a-b-c-d", false],
    [all("Disallow: /a*b*c"), "/a-c-b", true],
    [all("Disallow: /a$"), "/a", false],
    [all("Disallow: /a$"), "/ab", true],
    [all("Disallow: *x"), "/deep/x", false],
    [all("Disallow: /ab*b$"), "/ab", true],
    // One path in two spellings.
    [all("Disallow: /%7eme/ü"), "/~me/%C3%BC", false],
    [all("Disallow: /a%2fb"), "/a/b", true],
    // Groups.
    ["User-agent: docent\nAllow: /\n\nUser-agent: *\nDisallow: /", "/a", true],
    ["User-agent: *\nDisallow: /\n\nUser-agent: Docent/2.0\nDisallow: /x", "/a", true],
    ["User-agent: docentish\nDisallow: /", "/a", true],
    ["User-agent: a\nUser-agent: Docent\nDisallow: /", "/a", false],
    ["User-agent: docent\nDisallow: /a\n\nUser-agent: docent\nDisallow: /b", "/b", false],
    ["User-agent: *\nSitemap: /s.xml\nDisallow: /a", "/a", false],
    ["Disallow: /a", "/a", true],
    // As people write it.
    ["\uFEFFuser-AGENT : *  # all\r\n disallow:/a # not this\r\n", "/a", false],
    ["User-agent: *\rDisallow: /a", "/a", false],
    ["<!doctype html><title>Not found</title>", "/a", true],
  ])("%j and %s: %p", (text, path, expected) => {
    expect(allows(text, path)).toBe(expected);
  });

  test("no pattern makes it slow", () => {
    const path = `/${"a".repeat(5000)}`;
    const rules = Array.from({ length: 200 }, (_, index) => `Disallow: /${"*a".repeat(100 + index)}*b$`);
    expect(allows(all(...rules), path)).toBe(true);
  });

  test("names its sitemaps and its delay", () => {
    const robots = parseRobots(
      "Sitemap: https://x.test/s.xml\nUser-agent: *\nCrawl-delay: 1.5\nSitemap: /t.xml",
      "docent",
    );
    expect([robots.sitemaps, robots.crawlDelaySeconds]).toEqual([["https://x.test/s.xml", "/t.xml"], 1.5]);
  });
});

describe("a website's robots.txt", () => {
  test("is obeyed, and the ledger says so", async () => {
    await using site = startFakeSite({
      "/robots.txt": { body: "User-agent: docent\nDisallow: /private\nDisallow: /*.md$" },
      "/": htmlPage("Home", ["/private/a", "/b"]),
      "/b": htmlPage("B"),
      "/b.md": { headers: { "content-type": "text/markdown" }, body: "# B" },
      "/private/a": htmlPage("A"),
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["", "b"]);
    expect(run.items["b"]?.format).toBe("html");
    expect(run.skipped).toMatchObject([{ reason: "robots", detail: "is disallowed by robots.txt" }]);
    expect(site.requests.some(({ path }) => path.startsWith("/private") || path.endsWith(".md"))).toBe(false);
  });

  test.each([404, 403, 401])("that answers %d allows everything", async (status) => {
    await using site = startFakeSite({ "/robots.txt": { status }, "/": htmlPage("Home") });
    expect((await runReader(websiteReader(site))).paths).toEqual([""]);
  });

  test.each([500, 503, 429])("that answers %d allows nothing, and nothing is removed", async (status) => {
    await using site = startFakeSite({ "/robots.txt": { status }, "/": htmlPage("Home") });
    const run = await runReader(websiteReader(site));
    expect([run.paths, run.skipped]).toEqual([[], []]);
    expect(run.error).toMatchObject({
      code: "unavailable",
      message: `${site.url}/robots.txt could not be read: the server answers ${status}.`,
    });
    expect(site.requests.every(({ path }) => path === "/robots.txt")).toBe(true);
  });

  test("that cannot be reached allows nothing", async () => {
    const site = startFakeSite({});
    await site.stop();
    const { error } = await runReader(websiteReader(site));
    expect(error).toMatchObject({ code: "unavailable" });
    expect(String(error)).toContain("cannot be reached");
  });

  test("of a private address that is not allowed says what to do", async () => {
    const { createGuardedFetch } = await import("../../../src/kernel/lib/guarded-fetch/guarded-fetch.ts");
    await using site = startFakeSite({ "/": htmlPage("Home") });
    const get = createGuardedFetch({ seal: UNSEALED, hosts: [site.host], privateHosts: [] });
    const { error } = await runReader(websiteReader(site, { get }));
    expect(error).toMatchObject({ code: "forbidden" });
    expect(String(error)).toContain("name the address in private_hosts");
    expect(site.requests).toEqual([]);
  });

  test("that asks for a delay gets it, within a bound", async () => {
    for (const [asked, given] of [
      ["2", 2000],
      ["86400", 5000],
    ] as const) {
      const waits: number[] = [];
      await using site = startFakeSite({
        "/robots.txt": { body: `User-agent: *\nCrawl-delay: ${asked}` },
        "/": htmlPage("Home", ["/a"]),
        "/a": htmlPage("A"),
      });
      const run = await runReader(websiteReader(site, { sleep: async (ms) => void waits.push(ms) }));
      expect(run.paths).toEqual(["", "a"]);
      // Each request but robots.txt itself holds up the next one.
      expect(waits).toEqual(Array(site.requests.length - 1).fill(given));
    }
  });
});
