import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { letReadersSignIn, type SignedInSite } from "../helpers/signed-in-site.ts";

// The reader site, and the texts for programs, of a site whose readers sign in.

const ADA = { issuer: "https://id.example.com", subject: "ada", name: "Ada <b>Byron", groups: ["staff"] };
const PROVIDER = { provider: "company", sid: "s1" };
const NEEDED =
  "This is for readers who have signed in: send the site's token for its reader in the header x-docent-reader.";

let docent: TestDocent;
let site: SignedInSite;
beforeAll(async () => {
  docent = await startDocent({ settings: { admin_hosts: "named.example" } });
  await addSiteWithPages(docent, "inside", {
    "index.md": "# Start\n\nThe secret handbook of engines.",
    "guide.md": "# Guide\n\nTurn the engine on. ![Engine](engine.png)",
  });
  const { people } = docent.app.parts;
  await people.sites.set("inside", { hostNames: ["docs.inside.example"], url: "" });
  const { id, organizationId } = await people.sites.get("inside");
  await people.keys.create({ organizationId, name: "inside", siteIds: [id] });
  site = await letReadersSignIn(docent, "inside");
});
afterAll(() => docent.close());

const sessions = () => docent.app.parts.people.readerSessions;
const signIn = async () => ({ cookie: `docent_reads=${await sessions().begin(ADA, PROVIDER)}` });

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${docent.url}${path}`, { headers, redirect: "manual" });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const PAGES = ["", "guide", "no-such-page", "guide/", "?q=engine", "?list=0"];
const TEXTS = [
  "llms.txt",
  "llms-full.txt",
  "robots.txt",
  "sitemap.xml",
  "guide.md",
  "no-such-page.md",
  "search.json?q=engine",
];

describe("to whoever has not signed in, a site whose readers sign in", () => {
  test("shows one page, whatever is asked for, which says where to sign in and nothing of what is there", async () => {
    const shown = await Promise.all(PAGES.map((path) => get(`/sites/inside/${path}`)));
    for (const { status, text, headers } of shown) {
      expect(status).toBe(401);
      expect(text).toContain("Sign in to read this.");
      expect(text).not.toMatch(/engine|handbook|Guide|Start/i);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toContain("sandbox");
    }
    expect(new Set(shown.map(({ text }) => text)).size).toBe(1);
  });

  test.each(TEXTS)("tells programs what to send, at %s", async (path) => {
    const { status, text } = await get(`/sites/inside/${path}`);
    expect([status, JSON.parse(text).message]).toEqual([401, NEEDED]);
    expect(text).not.toMatch(/handbook/);
  });

  test.each(["llms.txt", "llms-full.txt", "robots.txt", "sitemap.xml", "guide.md"])(
    "the same at the root of its own host name, at %s",
    async (path) => {
      const { status, text } = await get(`/${path}`, { host: "docs.inside.example" });
      expect([status, JSON.parse(text).message]).toEqual([401, NEEDED]);
    },
  );

  test("is opened by no signed link, and by no other site's cookie, token or pass", async () => {
    const { people } = docent.app.parts;
    const inside = await people.sites.get("inside");
    const made = await people.sites.set("inside", { settings: { readers: "public", public: false } });
    const query = people.readerLinks.query(made, { path: "guide", groups: [] });
    expect((await get(`/sites/inside/guide${query}`)).status).toBe(200);
    await people.sites.set("inside", { settings: { readers: "signed-in", public: true } });
    expect((await get(`/sites/inside/guide${query}`)).status).toBe(401);
    expect(
      people.readerLinks.query(await people.sites.get("inside"), { path: "guide", groups: ["staff"] }),
    ).toBe("");
    const pass = people.readerPasses.query(inside);
    const sandboxed = { origin: "null" };
    expect((await get(`/sites/inside/search.json?q=engine&${pass}`, sandboxed)).status).toBe(401);
    for (const cookie of [
      "docent_reads=",
      "docent_reads=docent_rse_x",
      `docent_reads=${await site.tokenFor()}`,
    ])
      expect((await get("/sites/inside/guide", { cookie })).status).toBe(401);
  });
});

describe("to a reader who has signed in, it", () => {
  test("shows its pages at the addresses that they had, and who is signed in", async () => {
    const headers = await signIn();
    const { status, text, headers: said } = await get("/sites/inside/guide", headers);
    expect(status).toBe(200);
    expect(text).toContain("Turn the engine on.");
    expect(text).toContain("Ada &lt;b&gt;Byron");
    expect(said.get("cache-control")).toBe("private, no-cache");
    expect((await get("/sites/inside/no-such-page", headers)).status).toBe(404);
    expect((await get("/sites/inside/?q=engine", headers)).text).toContain("Turn the");
  });

  test.each(["llms.txt", "llms-full.txt", "sitemap.xml", "guide.md"])(
    "gives programs %s, with a session or a token",
    async (path) => {
      for (const headers of [await signIn(), await site.as()]) {
        const given = await get(`/sites/inside/${path}`, headers);
        expect([given.status, given.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
        expect(given.text).toMatch(/guide|engine/i);
      }
      const host = "docs.inside.example";
      expect((await get(`/${path}`, { ...(await site.as()), host })).status).toBe(200);
    },
  );

  test("is not compressed where it has the pass of a session: its length would tell whether what is searched is in it", async () => {
    const reply = await fetch(`${docent.url}/sites/inside/guide?q=engine`, {
      headers: { ...(await signIn()), "accept-encoding": "gzip, br, zstd" },
      decompress: false,
    });
    expect([reply.status, reply.headers.get("content-encoding")]).toEqual([200, null]);
    expect(await reply.text()).toContain("data-search=");
  });

  test("lets the page's own search and its widget ask, in the name of the session", async () => {
    const { text } = await get("/sites/inside/guide", await signIn());
    const [, search = ""] = /data-search="([^"]+)" data-nothing/.exec(text) ?? [];
    const [, query = ""] = /data-query="([^"]+)"/.exec(text) ?? [];
    const [, key = ""] = /data-key="([^"]+)"/.exec(text) ?? [];
    const address = `${search.replaceAll("&amp;", "&")}&q=engine`;
    const found = await get(address, { origin: "null" });
    expect([found.status, found.text]).toEqual([200, expect.stringContaining("engine")]);
    const ask = (behind: string, origin: string) =>
      get(`/v1/widget/inside?${behind}`, { origin, authorization: `Bearer ${key}` });
    const settings = await ask(query, "null");
    expect([settings.status, settings.text]).toEqual([200, expect.any(String)]);
    expect(z.object({ readerUrl: z.string() }).parse(JSON.parse(settings.text)).readerUrl).toEndWith(
      "/sites/inside",
    );
    // The pass is worth something to the sandboxed page alone.
    expect((await ask(query, "https://evil.example")).status).toBe(401);
    expect((await get(address)).status).toBe(401);
    expect(query).not.toMatch(/staff|ada/i);
  });

  test("a pass that was altered, of another session, or of another site is worth nothing", async () => {
    const { people } = docent.app.parts;
    const inside = await people.sites.get("inside");
    const session = await sessions().authenticate(await sessions().begin(ADA, PROVIDER));
    const pass = people.readerPasses.query(inside, session?.id);
    const [until = "", id = "", signature = ""] = pass.replace("pass=", "").split(".");
    const ask = async (value: string) =>
      (await get(`/sites/inside/search.json?q=engine&pass=${value}`, { origin: "null" })).status;
    expect(await ask(`${until}.${id}.${signature}`)).toBe(200);
    const later = String(Number(until) + 3_600_000);
    const other = await sessions().authenticate(await sessions().begin({ ...ADA, subject: "eve" }, PROVIDER));
    const foreign = people.readerPasses
      .query(await people.sites.get("acme"), session?.id)
      .replace("pass=", "");
    for (const wrong of [
      `${later}.${id}.${signature}`,
      `${until}.${other?.id}.${signature}`,
      `${until}..${signature}`,
      `${until}.${id}.`,
      `${until}.${id}`,
      `..`,
      foreign,
    ])
      expect(await ask(wrong)).toBe(401);
  });

  test("is shown no more when the session has ended, and neither is what its open page asks", async () => {
    const { people } = docent.app.parts;
    const headers = await signIn();
    const session = await sessions().authenticate(headers.cookie.split("=")[1]);
    const pass = people.readerPasses.query(await people.sites.get("inside"), session?.id);
    await sessions().endOf({ issuer: ADA.issuer, subject: undefined, sid: "s1" });
    expect((await get("/sites/inside/guide", headers)).status).toBe(401);
    const asked = await get(`/sites/inside/search.json?q=engine&${pass}`, { origin: "null" });
    expect([asked.status, JSON.parse(asked.text).message]).toEqual([
      401,
      "You are signed out. Load the page again, and sign in.",
    ]);
  });
});

describe("signing out", () => {
  const addressIn = (text: string) => /href="([^"]*~sign-out[^"]*)"/.exec(text)?.[1] ?? "";

  test("ends the session, takes the cookie, and leads to where one signs in", async () => {
    const headers = await signIn();
    const { text } = await get("/sites/inside/guide", headers);
    const left = await get(addressIn(text), headers);
    expect([left.status, left.headers.get("location")]).toEqual([302, "/sites/inside/"]);
    expect(left.headers.get("set-cookie")).toMatch(
      /^docent_reads=; Max-Age=0; Path=\/sites; HttpOnly; SameSite=Lax/,
    );
    expect((await get("/sites/inside/guide", headers)).status).toBe(401);
  });

  test("is nothing that another's page can make a browser do", async () => {
    const headers = await signIn();
    const strange = addressIn((await get("/sites/inside/guide", await signIn())).text);
    for (const address of ["/sites/inside/~sign-out", "/sites/inside/~sign-out?of=x", strange]) {
      expect((await get(address, headers)).headers.get("set-cookie")).toBeNull();
      expect((await get("/sites/inside/guide", headers)).status).toBe(200);
    }
  });
});

test("the reader's cookie goes with links, by https alone where the server has it, and to no script", async () => {
  const { readerCookie } = await import("../../src/doors/session/cookie.ts");
  expect(readerCookie("https://docs.example.com/docent", "/docent", 1000).give("x")).toBe(
    "__Secure-docent_reads=x; Max-Age=1; Path=/docent/sites; HttpOnly; SameSite=Lax; Secure",
  );
});

test("moving from public to signed-in and back changes no address", async () => {
  const { people } = docent.app.parts;
  const listed = async (headers: Record<string, string> = {}) =>
    (await get("/sites/inside/llms.txt", headers)).text;
  const before = await listed(await site.as());
  await people.sites.set("inside", { settings: { readers: "public" } });
  expect(await listed()).toBe(before);
  expect((await get("/sites/inside/guide")).status).toBe(200);
  await people.sites.set("inside", { settings: { readers: "signed-in" } });
  expect((await get("/sites/inside/guide")).status).toBe(401);
  expect(await listed(await site.as())).toBe(before);
});
