import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANNOUNCING_PAGE, LONG_CODE } from "../helpers/announced-code.ts";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "votes", { "server.md": ANNOUNCING_PAGE });
});
afterAll(() => docent.close());

interface Result {
  content: string;
  path: string;
  metadata: {
    title: string;
    href: string;
    score: number;
    highlights: [number, number][];
    corrected?: string;
  };
}

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  { url, key }: Pick<TestDocent, "url" | "key"> = docent,
) {
  const reply = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) };
}

async function search(
  query: string,
  { domain = "acme", ...more }: Record<string, unknown> = {},
): Promise<Result[]> {
  const { status, body } = await post(`/v1/search/${domain}`, { query, ...more });
  expect(status).toBe(200);
  return body;
}

describe("search", () => {
  test("gives the passage that has the words first, as an array with paths and places", async () => {
    const [first] = await search("install on linux");
    expect(first).toMatchObject({
      path: "guide/install",
      metadata: { title: "Install Acme", href: "/guide/install#linux", score: expect.any(Number) },
    });
  });

  test("takes the last word as a beginning only where it is asked for", async () => {
    expect((await search("homeb", { asYouType: true }))[0]?.path).toBe("guide/install");
    for (const asYouType of [undefined, null, false])
      expect(await search("homeb", { asYouType })).toEqual([]);
  });

  test("finds as much with a whole word, whether or not it is still typed", async () => {
    const [whole] = await search("homebrew");
    const [typed] = await search("homebrew", { asYouType: true });
    expect([whole?.path, typed?.path]).toEqual(["guide/install", "guide/install"]);
  });

  test("puts what has the name that was typed first only where it is asked for", async () => {
    const named = await search("linu", { order: "navigation" });
    expect(named[0]).toMatchObject({
      metadata: { href: "/guide/install#linux", headings: ["Install Acme", "Linux"] },
    });
    const plain = await search("linu", { asYouType: true });
    for (const order of [null, undefined])
      expect(await search("linu", { asYouType: true, order })).toEqual(plain);
  });

  test("marks the words that were meant in metadata, and never as HTML in content", async () => {
    const [first] = await search("installer term", { asYouType: true });
    const marked = first?.metadata.highlights.map(([start, end]) => first.content.slice(start, end));
    expect(marked).toContain("installer");
    expect(marked).toContain("terminal");
    expect(first?.content).not.toMatch(/<\/?(em|mark|b)>/);
    const [plain] = await search("installer term");
    const words = plain?.metadata.highlights.map(([start, end]) => plain.content.slice(start, end));
    expect(words).toContain("installer");
    expect(words).not.toContain("terminal");
  });

  test("gives the whole section as Markdown, with the code that a sentence announces", async () => {
    const [first] = await search("how large is the quorum", { domain: "votes" });
    expect(first?.metadata.href).toBe("/server#votes");
    expect(first?.content).toStartWith("Line 0 on wool");
    expect(first?.content).toContain(`Run this:\n\n${LONG_CODE}`);
    expect(first?.content).not.toContain("on ice");
    for (const content of ["section", null])
      expect((await search("how large is the quorum", { domain: "votes", content }))[0]).toEqual(first);
  });

  test.each([
    ["quorum", { content: "snippet" }, "short"],
    ["quorum", { asYouType: true }, "short"],
    ["votes", { order: "navigation" }, "short"],
    ["quorum", { asYouType: false }, "whole"],
    ["quorum", { asYouType: true, content: "section" }, "whole"],
    ["votes", { order: "navigation", content: "section" }, "whole"],
  ])("what is found for %j with %j is %s", async (query, more, length) => {
    const [first] = await search(query, { domain: "votes", ...more });
    expect(first?.metadata.href).toBe("/server#votes");
    if (length === "whole") expect(first?.content).toContain(LONG_CODE);
    else expect(first?.content.length).toBeLessThanOrEqual(300);
  });

  test.each(["section", "snippet"])("marks the words of the query in a %s", async (content) => {
    const [first] = await search("wool", { domain: "votes", content });
    const marked = first?.metadata.highlights.map(([start, end]) => first.content.slice(start, end));
    expect(new Set(marked)).toEqual(new Set(["wool"]));
  });

  test("finds what was meant by a misspelled word, marks it, and says what was searched for", async () => {
    const found = await search("Hwo do I run the installer from a terminla?");
    const meant = await search("How do I run the installer from a terminal?");
    expect(meant[0]?.metadata).not.toHaveProperty("corrected");
    const asMeant = meant.map((each) => ({
      ...each,
      metadata: { ...each.metadata, corrected: "How do I run the installer from a terminal?" },
    }));
    expect(found).toEqual(asMeant);
    const marked = found[0]?.metadata.highlights.map(([start, end]) => found[0]?.content.slice(start, end));
    expect(marked).toContain("terminal");
  });

  test("is not padded with noise", async () => {
    expect(await search("zzqx wvvk")).toEqual([]);
    expect(await search("")).toEqual([]);
  });

  test("is not empty while a word of the question stands in the docs, however much else is asked", async () => {
    const many = Array.from({ length: 12 }, (_, index) => `zzqx${index}wvvk`).join(" ");
    const found = await search(`${many} homebrew ${many}`);
    expect(found[0]?.path).toBe("guide/install");
    expect(found[0]?.metadata.score).toBeLessThan(0.25);
  });

  test("is not led astray by what docs can't know of a question: an id, a path, a host", async () => {
    const plain = await search("How do I install it with homebrew?");
    for (const detail of [
      "(request id 550e8400-e29b-41d4-a716-446655440000)",
      "in /srv/acme/shop/app.yml",
      "on nas.local",
    ])
      expect(await search(`How do I install it with homebrew ${detail}?`)).toMatchObject(
        plain.map(({ path, metadata: { href } }) => ({ path, metadata: { href } })),
      );
  });

  test("leaves out what is less relevant than the threshold", async () => {
    const all = await search("installer acme");
    const least = (all[0]?.metadata.score ?? 0) - 0.01;
    const some = await search("installer acme", { scoreThreshold: least });
    expect(all.length).toBeGreaterThan(some.length);
    expect(some.every(({ metadata }) => metadata.score >= least)).toBe(true);
  });

  test("gives no more than was asked for", async () => {
    expect(await search("acme", { pageSize: 1 })).toHaveLength(1);
  });

  test("never shows a hidden page", async () => {
    const found = await search("secret", { pageSize: 50 });
    expect(found.map(({ path }) => path)).not.toContain("guide/secret");
  });

  test.each([
    [{ query: 7 }, "query"],
    [{}, "query"],
    [{ query: "x", pageSize: 51 }, "pageSize"],
    [{ query: "x", pageSize: 0 }, "pageSize"],
    [{ query: "x", scoreThreshold: 2 }, "scoreThreshold"],
    [{ query: "x", filter: { groups: "a" } }, "filter.groups"],
    [{ query: "x".repeat(1001) }, "query"],
    [{ query: "x", asYouType: "yes" }, "asYouType"],
    [{ query: "x", order: "relevance" }, "order"],
    [{ query: "x", content: "page" }, "content"],
  ])("refuses %j and says where the fault is", async (body, path) => {
    const { status, body: error } = await post("/v1/search/acme", body);
    expect([status, error.code, error.details[0].path]).toEqual([400, "invalid_request", path]);
  });

  test("takes null where a client has nothing to say", async () => {
    expect(await search("linux", { pageSize: null, filter: null, scoreThreshold: null })).not.toEqual([]);
  });
});

describe("page", () => {
  test.each(["guide/install", "/guide/install/", "guide/install.md", "/guide/install#linux"])(
    "gives the Markdown of %s",
    async (path) => {
      const { status, body } = await post("/v1/page/acme", { path });
      expect([status, body.path]).toEqual([200, "guide/install"]);
      expect(body.content).toContain("## Linux");
    },
  );

  test("knows the path under its other name, and the empty path", async () => {
    expect((await post("/v1/page/acme", { page: "guide/install" })).status).toBe(200);
    expect((await post("/v1/page/acme", { path: "" })).body.path).toBe("");
  });

  test("answers for a hidden page as for one that does not exist", async () => {
    const hidden = await post("/v1/page/acme", { path: "guide/secret" });
    const missing = await post("/v1/page/acme", { path: "no/such/page" });
    expect(hidden.status).toBe(404);
    expect({ ...hidden.body, requestId: "" }).toEqual({ ...missing.body, requestId: "" });
    expect(missing.body.message).toBe("Not found");
  });

  test("refuses a body without a path", async () => {
    const { status, body } = await post("/v1/page/acme", {});
    expect([status, body.details[0].path]).toEqual([400, "path"]);
  });
});

describe("both", () => {
  const bodies: [string, object][] = [
    ["/v1/search/acme", { query: "linux" }],
    ["/v1/page/acme", { path: "guide/install" }],
  ];

  test.each(bodies)("%s exists under /discovery too", async (path, body) => {
    expect((await post(`/discovery${path}`, body)).status).toBe(200);
  });

  test.each(bodies)("%s tells a stranger nothing, whatever the body", async (path) => {
    const reply = await post(path, "{", { authorization: "Bearer docent_dsc_unknown" });
    expect([reply.status, reply.body.code]).toEqual([401, "unauthorized"]);
  });

  test.each(bodies)("%s of an unknown site is 404 before the body is looked at", async (path) => {
    expect((await post(path.replace("acme", "nowhere"), "{")).status).toBe(404);
  });

  test.each(bodies)("%s opens to pages of other origins, with what they may read", async (path, body) => {
    const { headers } = await post(path, body, { origin: "https://elsewhere.example" });
    expect(headers.get("access-control-allow-origin")).toBe("https://elsewhere.example");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-expose-headers")).toContain("ratelimit-remaining");
  });

  test("count apart from each other and from messages", async () => {
    const data = mkdtempSync(join(tmpdir(), "docent-lookups-"));
    const small = await startDocent({
      data,
      settings: { organization_searches_per_hour: "1", organization_pages_per_hour: "1" },
    });
    try {
      const ask = (path: string, body: object) => post(path, body, {}, small);
      expect((await ask("/v1/search/acme", { query: "linux" })).status).toBe(200);
      const refused = await ask("/v1/search/acme", { query: "linux" });
      expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
      expect(refused.headers.get("retry-after")).not.toBeNull();
      expect((await ask("/v1/page/acme", { path: "guide/install" })).status).toBe(200);
      expect((await ask("/v1/page/acme", { path: "guide/install" })).status).toBe(429);
    } finally {
      await small.close();
      rmSync(data, { recursive: true, force: true });
    }
  });
});
