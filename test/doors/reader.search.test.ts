import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { databaseOf } from "../helpers/database-of.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { hrefs, select } from "../helpers/select-html.ts";

const foundSchema = z.object({
  corrected: z.string().optional(),
  results: z.array(
    z.strictObject({
      title: z.string(),
      headings: z.array(z.string()),
      content: z.string(),
      highlights: z.array(z.tuple([z.number(), z.number()])),
      href: z.string(),
    }),
  ),
});

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent({ docs: null, settings: { address_lookups_per_minute: "30" } });
  await addSiteWithPages(docent, "open", {
    "index.md": "# Start\n\nHello.",
    "guide/zebra.md": "# Animals\n\n## Where zebras live\n\nA zebra lives in the savanna, c < d & e.",
    "guide/lion.md": "# Lions\n\nA lion sleeps.",
    "guide/options.md": `# Options\n\n${"The size of the cage, and the cage size. ".repeat(9)}`,
    "guide/cages.md": "# Cages\n\nAll of them.\n\n## cageSize\n\nIn meters.",
  });
  await addSiteWithPages(docent, "quiet", { "index.md": "# Zebra\n\nA zebra." }, { isPublic: false });
});
afterAll(() => docent.close());

const get = (path: string, init?: RequestInit) => fetch(`${docent.url}${path}`, init);

describe("search as one types", () => {
  test("gives passages with their place, the last word as the beginning of one", async () => {
    const reply = await get("/sites/open/search.json?q=zebras+li");
    expect(reply.status).toBe(200);
    const [first] = foundSchema.parse(await reply.json()).results;
    expect(first?.title).toBe("Animals");
    expect(first?.headings).toEqual(["Where zebras live"]);
    expect(first?.href).toBe("/sites/open/guide/zebra#where-zebras-live");
    expect(first?.content).toBe("A zebra lives in the savanna, c < d & e.");
    expect(first?.highlights.map(([start, end]) => first.content.slice(start, end))).toEqual([
      "zebra",
      "lives",
    ]);
  });

  test("finds what was meant by a misspelled word, and says what was searched for", async () => {
    const { corrected, results } = foundSchema.parse(
      await (await get("/sites/open/search.json?q=zebars+savnana+li")).json(),
    );
    expect(corrected).toBe("zebras savanna li");
    expect(results[0]?.title).toBe("Animals");
    const marked = results[0]?.highlights.map(([start, end]) => results[0]?.content.slice(start, end));
    expect(marked).toEqual(["zebra", "lives", "savanna"]);
  });

  test("leads to what has the name that was typed, in any spelling, and to passages for a question", async () => {
    const first = async (query: string) =>
      foundSchema.parse(await (await get(`/sites/open/search.json?q=${query}`)).json()).results[0];
    for (const query of ["cageSize", "cage-size", "--cage-size", "cage+siz", "CAGE_SIZE"]) {
      const found = await first(query);
      expect([query, found?.href]).toEqual([query, "/sites/open/guide/cages#cagesize"]);
      expect(found).toMatchObject({ title: "Cages", headings: ["cageSize"], content: "In meters." });
    }
    expect((await first("what+is+the+size+of+the+cage"))?.href).toBe("/sites/open/guide/options#options");
  });

  test("may be read by sandboxed pages, without cookies", async () => {
    const { headers } = await get("/sites/open/search.json?q=zebra", { headers: { origin: "null" } });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("finds nothing for nothing", async () => {
    for (const query of ["", "%20", "%00", "quux"])
      expect(await (await get(`/sites/open/search.json?q=${query}`)).json()).toEqual({ results: [] });
  });

  test("keeps version, language and theme in what it leads to", async () => {
    const reply = await get("/sites/open/search.json?q=zebras+live&theme=dark&language=de");
    const [first] = foundSchema.parse(await reply.json()).results;
    expect(first?.href).toBe("/sites/open/guide/zebra?language=de&theme=dark#where-zebras-live");
  });

  test("is noted as a search of the site", async () => {
    const { reports, people } = docent.app.parts;
    await get("/sites/open/search.json?q=savanna");
    await reports.analytics.searchLog.flush({ isEnding: true });
    const { id } = await people.sites.get("open");
    const noted = databaseOf(docent.app)
      .query<{ query: string }, [number]>("SELECT query FROM searches WHERE site_id = ?")
      .all(id);
    expect(noted.map(({ query }) => query)).toContain("savanna");
  });
});

describe("the page of results", () => {
  test("is what the form without a script asks for", async () => {
    const home = await (await get("/sites/open/?theme=dark")).text();
    const [form] = await select(home, "form.search");
    expect(form?.attributes).toMatchObject({ action: "/sites/open/", method: "get", role: "search" });
    const hidden = await select(home, 'form.search input[type="hidden"]');
    expect(hidden.map(({ attributes: { name, value } }) => [name, value])).toEqual([["theme", "dark"]]);
    const html = await (await get("/sites/open/?q=zebra&theme=dark")).text();
    expect(await hrefs(html, ".results a")).toContain("/sites/open/guide/zebra?theme=dark#where-zebras-live");
    expect((await select(html, ".results mark")).map(({ text }) => text)).toContain("zebra");
    expect((await select(html, "h1"))[0]?.text).toBe("Results for “zebra”");
    expect((await select(html, 'input[name="q"]'))[0]?.attributes["value"]).toBe("zebra");
  });

  test("takes the words of a query that was sent as whole words", async () => {
    const html = await (await get("/sites/open/?q=zebras%20li")).text();
    expect((await select(html, ".results mark")).map(({ text }) => text)).not.toContain("lives");
    expect((await select(await (await get("/sites/open/?q=savan")).text(), ".nothing")).length).toBe(1);
    const typed = await get("/sites/open/search.json?q=savan");
    expect(foundSchema.parse(await typed.json()).results).not.toEqual([]);
  });

  test("says what was searched for in the place of a misspelled word", async () => {
    const html = await (await get("/sites/open/?q=where+is+the+savnana%3F")).text();
    expect((await select(html, ".corrected"))[0]?.text).toBe("Showing results for “where is the savanna?”.");
    expect((await select(html, ".results mark")).map(({ text }) => text)).toContain("savanna");
    expect((await select(html, 'input[name="q"]'))[0]?.attributes["value"]).toBe("where is the savnana?");
    const right = await (await get("/sites/open/?q=savanna")).text();
    expect(await select(right, ".corrected")).toEqual([]);
  });

  test("says where nothing was found", async () => {
    const html = await (await get("/sites/open/?q=quux%20%24%26")).text();
    expect((await select(html, ".nothing"))[0]?.text).toContain("“quux $&”");
  });
});

describe("the limit of searches", () => {
  test("counts what is searched without a key, and is said in the reader's words", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () =>
        get("/sites/open/search.json?q=lion", { headers: { origin: "null" } }),
      ),
    );
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.headers.get("access-control-allow-origin")).toBe("*");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused?.json()).toMatchObject({ error: { code: "rate_limited" } });
    const page = await get("/sites/open/?q=lion");
    expect(page.status).toBe(429);
    expect((await select(await page.text(), ".nothing"))[0]?.text).toContain("Search is busy");
    // Reading goes on.
    expect((await get("/sites/open/guide/lion")).status).toBe(200);
  });
});
