import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { htmlPage, startFakeSite } from "../../helpers/fake-site.ts";
import { listContext } from "../../helpers/list-context.ts";
import { fetchFrom, runReader, websiteReader } from "../../helpers/read-site.ts";
import { until } from "../../helpers/until.ts";

const html = (body: string, headers: Record<string, string> = {}) => ({
  headers: { "content-type": "text/html", ...headers },
  body,
});

describe("a website without a sitemap", () => {
  test("is read by following its links below the prefix, breadth first", async () => {
    await using site = startFakeSite({
      "/docs/": htmlPage("Home", [
        "a",
        "/docs/b/",
        "/blog/",
        "https://elsewhere.test/docs/x",
        "mailto:me@x.test",
      ]),
      "/docs/a": htmlPage("A", ["c", "../blog/post"]),
      "/docs/b/": htmlPage("B", ["deep/d.html"]),
      "/docs/c": htmlPage("C"),
      "/docs/b/deep/d.html": htmlPage("D"),
      "/blog/": htmlPage("Blog"),
    });
    const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
    expect(run.error).toBeUndefined();
    expect(run.paths).toEqual(["docs", "docs/a", "docs/b", "docs/c", "docs/b/deep/d.html"]);
    expect(run.items["docs"]).toMatchObject({
      found: "start",
      format: "html",
      location: `${site.url}/docs/`,
    });
    expect(run.items["docs/c"]?.found).toBe(`link on ${site.url}/docs/a`);
    expect(run.texts["docs/a"]).toBe(htmlPage("A", ["c", "../blog/post"]));
    expect(run.skipped).toEqual([]);
    expect(site.requests.every(({ headers }) => headers.get("user-agent")?.startsWith("Docent/1.0"))).toBe(
      true,
    );
  });

  test("asks for each page once, however it is linked", async () => {
    const links = [
      "/a",
      "/a/",
      "/a#part",
      "/a?utm_source=x",
      "/a?page=2",
      "/a/index.html",
      "/%61",
      "//",
      "/index.html",
    ];
    await using site = startFakeSite({
      "/": htmlPage("Home", links),
      "/a": htmlPage("A", ["/a?page=3", "/"]),
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["", "a"]);
    expect(site.requests.filter(({ path }) => path.startsWith("/a") && !path.endsWith(".md"))).toHaveLength(
      2,
    );
  });

  test("of 10,000 links in a loop ends", async () => {
    const calendar = (request: Request) => {
      const day = Number(new URL(request.url).searchParams.get("day") ?? 0);
      return htmlPage("Calendar", [
        ...Array.from({ length: 10_000 }, (_, index) => `/calendar?day=${day + index}#d${index}`),
        "docs/",
      ]);
    };
    const trap = { ...Object.fromEntries(["/calendar", "/"].map((path) => [path, calendar])) };
    await using site = startFakeSite(trap);
    site.pages = new Proxy(trap, {
      get: (pages, path) => pages[String(path)] ?? (/\/docs\/$/.test(String(path)) ? calendar : undefined),
    });
    const run = await runReader(websiteReader(site));
    expect(run.error).toBeUndefined();
    expect(run.paths).toEqual(["", "calendar", "docs", "docs/docs", "docs/docs/docs"]);
    expect(site.requests.length).toBeLessThan(60);
  });

  test("of more pages than are allowed ends with what to do, after what was allowed", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a", "/b", "/c"]),
      ...Object.fromEntries(["a", "b", "c"].map((name) => [`/${name}`, htmlPage(name)])),
    });
    const run = await runReader(websiteReader(site, { pagesMax: 3 }));
    expect(run.paths).toEqual(["", "a", "b"]);
    expect(run.error).toMatchObject({
      code: "too_large",
      message: "The site has more than 3 pages.",
      hint: expect.stringContaining("Nothing was changed"),
    });
  });

  test("is not followed deeper than the bound, and says of each page that it is too far away", async () => {
    await using site = startFakeSite({
      "/": htmlPage("0", ["/1", "/also"]),
      "/1": htmlPage("1", ["/2", "/3", "/also"]),
      "/also": htmlPage("Also", ["/2", "/1"]),
    });
    const run = await runReader(websiteReader(site, { linkDepthMax: 1 }));
    expect(run.paths).toEqual(["", "1", "also"]);
    expect(run.reasons).toEqual(["/2: refused", "/3: refused"]);
    expect(run.skipped[0]).toMatchObject({
      found: `link on ${site.url}/1`,
      detail: "is more than 1 links away from the start",
    });
    expect(site.asked()).not.toContain("/2");
  });

  test("names a thousand pages that are too far away, and that there are more", async () => {
    const far = Array.from({ length: 1500 }, (_, index) => `/far/${index}`);
    await using site = startFakeSite({ "/": htmlPage("Home", far) });
    const run = await runReader(websiteReader(site, { linkDepthMax: 0 }));
    expect(run.skipped).toHaveLength(1001);
    expect(run.skipped.at(-1)).toMatchObject({
      location: `${site.url}/far/1000`,
      detail: "is more than 0 links away from the start, and so are others that are not named here",
    });
    expect(run.skipped.at(-2)?.detail).toBe("is more than 0 links away from the start");
  });

  test("gives broken links to the ledger, and files by their type unless their name says enough", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/gone", "/old", "/manual.zip", "/logo.png", "/api", "/llms.txt"]),
      "/old": { status: 410 },
      "/api": { headers: { "content-type": "application/json" }, body: "{}" },
      "/manual.zip": { headers: { "content-type": "application/zip" }, body: "x" },
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual([""]);
    expect(run.reasons).toEqual(["/gone: not_found", "/old: not_found", "/api: refused"]);
    expect(run.skipped[2]?.detail).toBe("is application/json, which is no page");
    expect(run.skipped[0]).toMatchObject({ found: `link on ${site.url}/`, detail: "is not there (404)" });
    expect(site.requests.some(({ path }) => /zip|png|llms/.test(path))).toBe(false);
  });

  test("takes Markdown and plain text as they are, and other charsets as UTF-8", async () => {
    const cyrillic = new Uint8Array([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/notes.txt", "/guide.md", "/cyrillic.txt", "/odd.txt"]),
      "/notes.txt": { headers: { "content-type": "text/plain" }, body: "notes" },
      "/guide.md": { headers: { "content-type": "text/markdown; charset=utf-8" }, body: "# Guide" },
      "/cyrillic.txt": { headers: { "content-type": "text/plain; charset=windows-1251" }, body: cyrillic },
      "/odd.txt": { headers: { "content-type": "text/plain; charset=klingon" }, body: "odd" },
    });
    const run = await runReader(websiteReader(site));
    expect(Object.values(run.items).map(({ path, format }) => [path, format])).toEqual([
      ["", "html"],
      ["notes.txt", "txt"],
      ["guide.md", "md"],
      ["cyrillic.txt", "txt"],
      ["odd.txt", "txt"],
    ]);
    expect(run.texts).toMatchObject({ "notes.txt": "notes", "cyrillic.txt": "Привет", "odd.txt": "odd" });
  });

  test("a redirect to another page gives way to it; one to itself is that page; one out of the site is left", async () => {
    await using elsewhere = startFakeSite({ "/": "there" });
    const to = (location: string) => ({ status: 301, headers: { location } });
    await using site = startFakeSite({
      "/docs/": htmlPage("Home", ["old", "folder", "away", "metadata", "up"]),
      "/docs/old": to("/docs/new"),
      "/docs/new": htmlPage("New"),
      "/docs/folder": to("/docs/folder/"),
      "/docs/folder/": htmlPage("Folder", ["inside"]),
      "/docs/folder/inside": htmlPage("Inside"),
      "/docs/away": to(elsewhere.url),
      "/docs/metadata": to("http://169.254.169.254/latest/"),
      "/docs/up": to("/login"),
    });
    const run = await runReader(websiteReader(site, { start: `${site.url}/docs/` }));
    expect(run.paths).toEqual(["docs", "docs/folder", "docs/new", "docs/folder/inside"]);
    expect(run.items["docs/folder"]?.location).toBe(`${site.url}/docs/folder/`);
    expect(run.reasons).toEqual([
      "/docs/old: duplicate",
      "/docs/away: outside",
      "/docs/metadata: outside",
      "/docs/up: outside",
    ]);
    expect(elsewhere.requests).toEqual([]);
  });

  test("a site that has moved to another host, which is named too, is read there", async () => {
    await using site = startFakeSite({
      "/robots.txt": { body: "User-agent: *\nDisallow: /private" },
      "/docs/": htmlPage("Home", ["a", "/private"]),
      "/docs/a": htmlPage("A"),
    });
    await using old = startFakeSite({
      "/robots.txt": { status: 301, headers: { location: `${site.url}/robots.txt` } },
    });
    const reader = websiteReader(old, { start: `${old.url}/docs/`, get: fetchFrom(old, site) });
    expect((await runReader(reader)).paths).toEqual(["docs", "docs/a"]);
    const alone = await runReader(websiteReader(old));
    expect(alone.error).toMatchObject({ code: "forbidden" });
    expect(String(alone.error)).toContain(
      `it leads to ${site.url}/robots.txt, which is on another host: add that address as a source`,
    );
  });

  test("a page that names another as its own address gives way to it, unless all name the first", async () => {
    const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a", "/b", "/x", "/y", "/mirror", "/home"]),
      "/a": htmlPage("A", [], canonical("/b?from=a")),
      "/b": htmlPage("B", [], canonical("/b/")),
      "/x": htmlPage("X", [], canonical("/y")),
      "/y": htmlPage("Y", [], canonical("/x")),
      "/mirror": htmlPage("Mirror", [], canonical("https://public.test/mirror")),
      "/home": htmlPage("Home again", [], canonical("/")),
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["", "b", "y", "mirror", "home"]);
    expect(run.reasons).toEqual(["/a: duplicate", "/x: duplicate"]);
  });

  test("noindex and nofollow are obeyed, in the page and in the header", async () => {
    const robots = (content: string) => `<meta name="Robots" content="${content}">`;
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/meta", "/header", "/none", "/nofollow", "/theirs"]),
      "/meta": htmlPage("Meta", ["/below-meta"], robots("NOINDEX, follow")),
      "/header": html(htmlPage("Header"), { "x-robots-tag": "docent: noindex" }),
      "/none": htmlPage("None", ["/hidden-1"], robots("none")),
      "/nofollow": htmlPage("Nofollow", ["/hidden-2"], robots("nofollow")),
      "/theirs": html(htmlPage("Theirs", ["/x"]), { "x-robots-tag": "otherbot: noindex, nofollow" }),
      "/below-meta": htmlPage("Below"),
      "/x": htmlPage("X"),
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toEqual(["", "nofollow", "theirs", "below-meta", "x"]);
    expect(run.reasons).toEqual(["/meta: noindex", "/header: noindex", "/none: noindex"]);
  });
});

describe("a website that has not changed", () => {
  const tagged = (etag: string, body: string) => html(body, { etag: `"${etag}"` });

  test("costs no bodies, and lists the same pages", async () => {
    await using site = startFakeSite({
      "/": tagged("home", htmlPage("Home", ["/a", "/hidden", "/old"])),
      "/a": html(htmlPage("A", ["/b"]), { "last-modified": "Wed, 01 Jul 2026 00:00:00 GMT" }),
      "/b": tagged("b", htmlPage("B")),
      "/hidden": tagged("hidden", htmlPage("Hidden", ["/c"], '<meta name="robots" content="noindex">')),
      "/old": tagged("old", htmlPage("Old", [], '<link rel="canonical" href="/c">')),
      "/c": tagged("c", htmlPage("C")),
    });
    const first = await runReader(websiteReader(site));
    expect(first.paths).toEqual(["", "a", "b", "c"]);
    const before = site.requests.length;
    const second = await runReader(websiteReader(site), first.memory);
    expect(second.paths).toEqual(first.paths);
    expect(second.reasons).toEqual(first.reasons);
    expect(second.texts).toEqual({});
    expect(second.memory).toEqual(first.memory);
    const pages = site.requests.slice(before).filter(({ path }) => !/robots|sitemap/.test(path));
    expect(pages.map(({ status, hasBody }) => [status, hasBody])).toEqual(Array(6).fill([304, false]));
  });

  test("is read again where it has, with what is new behind that", async () => {
    await using site = startFakeSite({
      "/": tagged("home", htmlPage("Home", ["/a"])),
      "/a": tagged("a1", htmlPage("A")),
    });
    const first = await runReader(websiteReader(site));
    site.pages["/a"] = tagged("a2", htmlPage("A", ["/b"]));
    site.pages["/b"] = htmlPage("B");
    const second = await runReader(websiteReader(site), first.memory);
    expect(second.paths).toEqual(["", "a", "b"]);
    expect(Object.keys(second.texts)).toEqual(["a", "b"]);
  });

  test("a page that is unchanged can be read all the same", async () => {
    await using site = startFakeSite({ "/": tagged("home", htmlPage("Home")) });
    const { memory } = await runReader(websiteReader(site));
    const bytes: string[] = [];
    for await (const item of websiteReader(site).list(listContext(undefined, memory)))
      if ("read" in item) bytes.push(new TextDecoder().decode(await item.read()));
    expect(bytes).toEqual([htmlPage("Home")]);
  });
});

describe("a website's page that cannot be read", () => {
  test("after every attempt keeps what the index has of it, and its links", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a"]),
      "/a": htmlPage("A", ["/b"]),
      "/b": htmlPage("B"),
    });
    const first = await runReader(websiteReader(site));
    site.pages["/a"] = { status: 502 };
    site.asked();
    const second = await runReader(websiteReader(site), first.memory);
    expect(second.paths).toEqual(["", "b"]);
    expect(second.skipped).toMatchObject([
      { reason: "failed", keeps: { path: "a" }, detail: "could not be read: the server answers 502" },
    ]);
    expect(site.asked().filter((path) => path === "/a")).toHaveLength(4);
    expect(second.error).toBeUndefined();
  });

  test("is left out when it is too large, and stays as it was when its server refuses it", async () => {
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/large", "/private"]),
      "/large": () => html("x".repeat(50_000_000)),
      "/private": { status: 403 },
    });
    const run = await runReader(websiteReader(site, { pageBytesMax: 100_000 }));
    expect(run.reasons).toEqual(["/large: too_large", "/private: refused"]);
    expect(run.skipped).toMatchObject([
      { detail: "it is larger than 100000 bytes" },
      { detail: "is refused by its server (403)", keeps: { path: "private" } },
    ]);
    expect(run.skipped[0]?.keeps).toBeUndefined();
  });

  test("again and again ends the run: what was read is kept, the rest is as it was", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `/p${index}`);
    await using site = startFakeSite({
      "/": htmlPage("Home", names),
      ...Object.fromEntries(names.map((path, index) => [path, index < 5 ? htmlPage(path) : { status: 500 }])),
    });
    const run = await runReader(websiteReader(site));
    expect(run.paths).toHaveLength(6);
    expect(run.reasons).toHaveLength(10);
    expect(run.error).toBeInstanceOf(AppError);
    expect(run.error).toMatchObject({ code: "unavailable" });
  });

  test("now and then does not end the run, however often that is", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `/p${index}`);
    await using site = startFakeSite({ "/": htmlPage("Home", names) });
    for (const [index, path] of names.entries())
      site.pages[path] = index % 10 === 9 ? htmlPage(path) : { status: 500 };
    const run = await runReader(websiteReader(site));
    expect([run.paths, run.error]).toEqual([["", "p9", "p19", "p29"], undefined]);
    expect(run.reasons).toHaveLength(27);
  });

  test("because the server died half way ends the run too", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `/p${index}`);
    const site = startFakeSite({ "/": htmlPage("Home", names) });
    for (const path of names) site.pages[path] = htmlPage(path);
    const dying = () => {
      void site.stop();
      return htmlPage("The last one");
    };
    site.pages["/p7"] = dying;
    const run = await runReader(websiteReader(site, { concurrency: 1 }));
    expect(run.paths.slice(0, 8)).toEqual(["", "p0", "p1", "p2", "p3", "p4", "p5", "p6"]);
    expect(run.skipped.every(({ reason, keeps }) => reason === "failed" && keeps !== undefined)).toBe(true);
    expect(run.error).toMatchObject({ code: "unavailable" });
  });

  test("is the first one: nothing is listed", async () => {
    await using site = startFakeSite({ "/": { status: 500 } });
    const run = await runReader(websiteReader(site));
    expect([run.paths, run.skipped]).toEqual([[], []]);
    expect(run.error).toMatchObject({ code: "unavailable" });
  });
});

describe("a server is spared", () => {
  test("no more requests at a time than are allowed", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `/p${index}`);
    const slow = async () => {
      await until(() => site.mostAtOnce >= 3);
      // One more would come now.
      await Bun.sleep(2);
      return htmlPage("Slow");
    };
    await using site = startFakeSite({
      "/": htmlPage("Home", names),
      ...Object.fromEntries(names.map((path) => [path, slow])),
    });
    const run = await runReader(websiteReader(site, { concurrency: 3 }));
    expect(run.paths).toHaveLength(21);
    expect(site.mostAtOnce).toBe(3);
  });

  test("Retry-After is obeyed, as seconds and as a date, within a bound; else the waits grow", async () => {
    const waits: number[] = [];
    const answers = ["7", "Fri, 02 Jan 2026 03:04:15 GMT", "86400"];
    await using site = startFakeSite({
      "/": (_, nth) => {
        const after = answers[nth];
        return after === undefined
          ? htmlPage("Home", ["/a"])
          : { status: 429, headers: { "retry-after": after } };
      },
      "/a": (_, nth) => (nth < 3 ? { status: 503 } : htmlPage("A")),
    });
    const run = await runReader(
      websiteReader(site, {
        retryAfterMsMax: 30_000,
        backoffMs: 100,
        clock: () => Date.UTC(2026, 0, 2, 3, 4, 5),
        sleep: async (ms) => void waits.push(ms),
      }),
    );
    expect(run.paths).toEqual(["", "a"]);
    expect(waits).toEqual([7000, 10_000, 30_000, 100, 200, 400]);
  });

  test("a 403 that asks for time is no refusal; any other is, and is not asked again", async () => {
    const waits: number[] = [];
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a", "/b"]),
      "/a": (_, nth) => (nth === 0 ? { status: 403, headers: { "retry-after": "7" } } : htmlPage("A")),
      "/b": { status: 403 },
    });
    const run = await runReader(websiteReader(site, { sleep: async (ms) => void waits.push(ms) }));
    expect(run.paths).toEqual(["", "a"]);
    expect(run.reasons).toContainEqual(expect.stringContaining("/b: "));
    expect(waits).toEqual([7000]);
  });

  test("while a server asks for time nothing else is asked of it", async () => {
    const pause = Promise.withResolvers<void>();
    const names = ["/busy", "/a", "/b", "/c", "/d", "/e"];
    let asleep = false;
    await using site = startFakeSite({
      "/": htmlPage("Home", names),
      ...Object.fromEntries(names.map((path) => [path, htmlPage(path)])),
    });
    site.pages["/busy"] = (_, nth) => (nth === 0 ? { status: 429 } : htmlPage("Busy"));
    const running = runReader(
      websiteReader(site, {
        concurrency: 1,
        sleep: () => {
          asleep = true;
          return pause.promise;
        },
      }),
    );
    while (!asleep) await Bun.sleep(1);
    site.asked();
    await Bun.sleep(10);
    expect(site.asked()).toEqual([]);
    pause.resolve();
    expect((await running).paths).toHaveLength(7);
  });

  test("an abort ends the run at once, with its reason", async () => {
    const controller = new AbortController();
    await using site = startFakeSite({
      "/": htmlPage("Home", ["/a"]),
      "/a": () => {
        controller.abort("enough");
        return new Promise(() => {});
      },
    });
    const run = await runReader(websiteReader(site), {}, listContext(controller.signal));
    expect(run.paths).toEqual([""]);
    expect(run.error).toBe("enough");
  });
});
