import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { type LyingProvider, type Signing, startLyingProvider, yamlFor } from "../helpers/lying-provider.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

// Access tokens at the door of MCP, and what tells agents where to get them. A whole flow is in mcp.authorization.test.ts.

const AUDIENCE = "https://docs.example/mcp";
const PAGES = {
  "index.md": "# Start\n\nEverybody reads of the lobby.",
  "staff.md": "---\ngroups: [staff]\n---\n# For staff\n\nThe safe is in the cellar.",
  "board.md": "---\ngroups: [board]\n---\n# For the board\n\nThe house is sold in week nine.",
};

const folder = temporaryDirectory();
let lying: LyingProvider;
let docent: TestDocent;
beforeAll(async () => {
  lying = await startLyingProvider();
  const file = join(folder.path, "sign-in.yml");
  await Bun.write(file, yamlFor(lying.issuer, `mcp_audience: ${AUDIENCE}\nmcp_scopes: [docs, groups]`));
  docent = await startDocent({ settings: { sign_in_file: file }, logLevel: "debug" });
  await addSiteWithPages(docent, "open", PAGES);
  await addSiteWithPages(docent, "closed", PAGES, { isPublic: false });
  await addSiteWithPages(docent, "inside", PAGES, { isPublic: false });
  await docent.app.parts.people.sites.set("inside", { settings: { readers: "signed-in" } });
});
afterAll(async () => {
  await docent.close();
  lying.stop();
  folder[Symbol.dispose]();
});

const METADATA = "/.well-known/oauth-protected-resource/mcp";
/** The paths that each reads. */
const FOR_ALL = [""];
const FOR_STAFF = ["", "staff"];
const LIST = { name: "list_pages", arguments: {} };

interface Asked {
  authorization?: string | undefined;
  query?: string;
  headers?: Record<string, string>;
  to?: TestDocent;
}

async function ask(domain: string, { authorization, query = "", headers = {}, to = docent }: Asked = {}) {
  const reply = await fetch(`${to.url}/mcp/${domain}${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(authorization === undefined ? {} : { authorization }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: LIST }),
  });
  const body = await reply.json();
  const { pages } = body.result?.structuredContent ?? {};
  return {
    status: reply.status,
    challenge: reply.headers.get("www-authenticate"),
    body: { ...body, requestId: "" },
    paths: pages?.map(({ path }: { path: string }) => path),
  };
}

/** A token as the provider makes it for agents. */
const tokenOf = (claims: object = {}, signing: Signing = {}) =>
  lying.sign({ aud: AUDIENCE, groups: ["staff"], ...claims }, { header: { typ: "at+jwt" }, ...signing });
const withToken = async (...given: Parameters<typeof tokenOf>) => ({
  authorization: `Bearer ${await tokenOf(...given)}`,
});

const challengeFor = (domain: string, more = "", at = docent) =>
  `Bearer resource_metadata="${at.url}${METADATA}/${domain}", ${more}scope="docs groups"`;
const WITHOUT = "";
const BAD = 'error="invalid_token", ';

describe("what an access token opens", () => {
  test("the pages of its reader's groups, and nobody else's", async () => {
    expect((await ask("open")).paths).toEqual(FOR_ALL);
    expect((await ask("open", await withToken())).paths).toEqual(FOR_STAFF);
    expect((await ask("open", await withToken({ groups: ["board"] }))).paths).toEqual(["", "board"]);
    expect((await ask("open", await withToken({ groups: ["(nobody)", "x"] }))).paths).toEqual(FOR_ALL);
  });

  test("a site whose readers sign in, which tells everybody else where to get one", async () => {
    expect((await ask("inside", await withToken())).paths).toEqual(FOR_STAFF);
    expect((await ask("inside", await withToken({ groups: undefined }))).paths).toEqual(FOR_ALL);
    const { status, challenge } = await ask("inside");
    expect([status, challenge]).toEqual([401, challengeFor("inside", WITHOUT)]);
  });

  test("of one that is for the site's own address, that site alone", async () => {
    const own = await withToken({ aud: `${docent.app.publicUrl}/mcp/open` });
    expect((await ask("open", own)).paths).toEqual(FOR_STAFF);
    const other = await withToken({ aud: `${docent.app.publicUrl}/mcp/closed` });
    expect((await ask("open", other)).status).toBe(401);
  });

  test("no site that wants a key: it is exactly one that is not there", async () => {
    const token = await withToken();
    const closed = await ask("closed", token);
    expect([closed.status, closed.body.code, closed.challenge]).toEqual([404, "not_found", null]);
    expect(await ask("nowhere", token)).toEqual(closed);
  });

  test("nothing of the API besides MCP", async () => {
    const headers = { ...(await withToken()), "content-type": "application/json" };
    const search = await fetch(`${docent.url}/v1/search/open`, {
      method: "POST",
      headers,
      body: '{"query":"safe"}',
    });
    expect([search.status, search.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    for (const path of ["/v1/admin/organizations", "/v1/session"])
      expect((await fetch(`${docent.url}${path}`, { headers })).status).toBe(401);
  });
});

const SHARED = new TextEncoder().encode("x".repeat(32));
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("what is refused with invalid_token, also on a site that is open to everyone", () => {
  const cases: [name: string, authorization: () => Promise<string>][] = [
    ["an end that has passed", () => tokenOf({ exp: 1 })],
    ["no end", () => tokenOf({ exp: undefined })],
    ["a beginning that has not come", () => tokenOf({ nbf: lying.now() + 3600 })],
    ["another audience", () => tokenOf({ aud: "https://other.example/mcp" })],
    ["no audience", () => tokenOf({ aud: undefined })],
    ["the audience of the sign-in, as an ID token", () => tokenOf({ aud: "docent" })],
    [
      "the audience of agents, and what ID tokens alone have",
      () => tokenOf({ at_hash: "x", nonce: "n" }, { header: { typ: "JWT" } }),
    ],
    ["another issuer", () => tokenOf({ iss: "https://evil.example" })],
    ["no issuer", () => tokenOf({ iss: undefined })],
    ["nobody whom it speaks for", () => tokenOf({ sub: undefined })],
    ["a shared secret in the place of a key", () => tokenOf({}, { alg: "HS256", key: SHARED })],
    [
      "the public key as a shared secret",
      async () =>
        tokenOf({}, { alg: "HS256", key: new TextEncoder().encode(JSON.stringify(await lying.publicKey())) }),
    ],
    ["a key that nobody published", () => tokenOf({}, { kid: "stranger" })],
    [
      "no signature",
      async () => {
        const [, body] = (await tokenOf()).split(".");
        return `${base64url({ alg: "none", typ: "at+jwt" })}.${body}.`;
      },
    ],
    [
      "a change after it was signed",
      async () => {
        const [head, body = "", signature] = (await tokenOf()).split(".");
        const claims = JSON.parse(Buffer.from(body, "base64url").toString());
        return `${head}.${base64url({ ...claims, groups: ["board"] })}.${signature}`;
      },
    ],
    ["no JWT at all", async () => "opaque"],
    ["the length of a book", async () => `${"x".repeat(12_000)}.y.z`],
  ];
  test.each(cases)("a token with %s", async (_, make) => {
    const token = await make();
    for (const domain of ["open", "inside", "closed", "nowhere"]) {
      const { status, challenge, body } = await ask(domain, { authorization: `Bearer ${token}` });
      expect([status, challenge, body.code]).toEqual([401, challengeFor(domain, BAD), "unauthorized"]);
      expect(JSON.stringify(body)).not.toContain(token);
    }
  });

  test("no token that was sent stands in the log", async () => {
    const good = await tokenOf();
    const bad = await tokenOf({ aud: "x" });
    for (const token of [good, bad]) await ask("open", { authorization: `Bearer ${token}` });
    const logged = docent.logged.join("");
    for (const token of [good, bad])
      for (const part of token.split(".").slice(1)) expect(logged).not.toContain(part);
  });

  test("where the provider's keys cannot be had, it is not the token's fault", async () => {
    lying.answer("/jwks", () => new Response("", { status: 500 }));
    const own = await startDocent({
      docs: null,
      settings: { sign_in_file: join(folder.path, "sign-in.yml") },
    });
    try {
      const { status, challenge } = await ask("open", { ...(await withToken()), to: own });
      expect([status, challenge]).toEqual([503, null]);
    } finally {
      lying.answer("/jwks", null);
      await own.close();
    }
  });
});

describe("what is no access token", () => {
  test("without any, a site that is not open tells where to get one, and so does one that is not there", async () => {
    const { body } = await ask("closed");
    for (const domain of ["closed", "nowhere"]) {
      const refused = await ask(domain);
      expect(refused).toMatchObject({ status: 401, challenge: challengeFor(domain, WITHOUT), body });
    }
  });

  test("an assistant key opens its site as ever, and an unknown one is refused with the same challenge", async () => {
    expect((await ask("acme", { authorization: `Bearer ${docent.key}` })).status).toBe(200);
    const { status, challenge } = await ask("acme", { authorization: "Bearer docent_dsc_unknown" });
    expect([status, challenge]).toEqual([401, challengeFor("acme", BAD)]);
    expect((await ask("open", { authorization: "Bearer docent_dsc_unknown" })).status).toBe(200);
  });

  test("what comes with another scheme is for whoever is between: an open site stays open", async () => {
    const token = await tokenOf({ exp: 1 });
    for (const authorization of ["Basic YWRhOnNlY3JldA==", `DPoP ${token}`, token])
      expect((await ask("open", { authorization })).paths).toEqual(FOR_ALL);
  });

  test("a token in the address opens nothing", async () => {
    const token = await tokenOf();
    const { status, challenge } = await ask("closed", { query: `?access_token=${token}` });
    expect([status, challenge]).toEqual([401, challengeFor("closed", WITHOUT)]);
    expect((await ask("open", { query: `?access_token=${token}` })).paths).toEqual(FOR_ALL);
  });

  test("a request to a host that nobody named is refused before its token is looked at", async () => {
    const { status, challenge } = await ask("open", {
      authorization: "Bearer opaque",
      headers: { host: "evil.example" },
    });
    expect([status, challenge]).toEqual([403, null]);
  });
});

const readMetadata = async (domain: string, to = docent) => fetch(`${to.url}${METADATA}/${domain}`);

describe("protected resource metadata", () => {
  test("names the resource, the provider and what to ask it for", async () => {
    expect(await (await readMetadata("open")).json()).toEqual({
      resource: `${docent.app.publicUrl}/mcp/open`,
      authorization_servers: [lying.issuer],
      scopes_supported: ["docs", "groups"],
      bearer_methods_supported: ["header"],
      resource_name: "The documentation of open",
    });
  });

  test("says nothing of whether a site exists", async () => {
    const text = async (domain: string) =>
      (await (await readMetadata(domain)).text()).replaceAll(domain, "DOMAIN");
    expect(await text("closed")).toBe(await text("open"));
    expect(await text("nowhere")).toBe(await text("open"));
  });

  test.each(["%22%3E", "a%2Fb", "%F0%9F%93%9A", "..%2f", "a b"])("the name %s stays a name", async (name) => {
    const reply = await readMetadata(name);
    const { resource } = await reply.json();
    expect(new URL(resource).pathname).toBe(`/mcp/${encodeURIComponent(decodeURIComponent(name))}`);
  });

  test("pages of every origin may read it, with no cookie, and they learn nothing more of MCP", async () => {
    const headers = { origin: "https://inspector.example", "access-control-request-method": "GET" };
    for (const method of ["GET", "OPTIONS"]) {
      const reply = await fetch(`${docent.url}${METADATA}/open`, { method, headers });
      expect(reply.ok).toBe(true);
      expect(reply.headers.get("access-control-allow-origin")).toBe("https://inspector.example");
      expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
    }
    const { status } = await ask("open", { headers: { origin: "https://inspector.example" } });
    expect(status).toBe(403);
  });

  test("is not there where no provider gives tokens to agents: then all is as it was", async () => {
    const plain = await startDocent({ docs: null });
    try {
      expect((await readMetadata("acme", plain)).status).toBe(404);
      const { status, challenge } = await ask("acme", { to: plain });
      expect([status, challenge]).toEqual([401, "Bearer"]);
      await addSiteWithPages(plain, "open", PAGES);
      expect((await ask("open", { authorization: "Bearer opaque", to: plain })).paths).toEqual(FOR_ALL);
    } finally {
      await plain.close();
    }
  });
});

describe("where the public address has a path", () => {
  test.each([
    ["Docent's own", { public_url: "https://Docs.example/docent", base_path: "/docent" }, "/docent"],
    ["which a proxy removes", { public_url: "https://docs.example/docent" }, ""],
  ])("%s, the metadata is below it, and at the place of RFC 9728", async (_, settings, basePath) => {
    const file = join(folder.path, "sign-in.yml");
    const own = await startDocent({ docs: null, settings: { sign_in_file: file, ...settings } });
    try {
      const origin = new URL(own.url).origin;
      const below = await fetch(`${origin}${basePath}${METADATA}/acme`);
      const found = await below.json();
      expect(found.resource).toBe("https://docs.example/docent/mcp/acme");
      const atRoot = `${origin}/.well-known/oauth-protected-resource/docent/mcp/acme`;
      const reply = await fetch(atRoot);
      expect(await reply.json()).toEqual(found);
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      expect((await fetch(atRoot, { method: "OPTIONS" })).status).toBe(204);
      for (const other of [`${atRoot}/more`, atRoot.replace("/acme", "/"), atRoot.replace("/docent", "/x")])
        expect((await fetch(other)).status).toBe(404);
      const { challenge } = await ask("acme", { to: own });
      expect(challenge).toContain(`resource_metadata="https://docs.example/docent${METADATA}/acme"`);
    } finally {
      await own.close();
    }
  });
});

describe("limits", () => {
  test("count an agent with a token as everybody else of its address and organization", async () => {
    const file = join(folder.path, "sign-in.yml");
    const small = await startDocent({
      docs: null,
      settings: { sign_in_file: file, organization_pages_per_hour: "1" },
    });
    try {
      await addSiteWithPages(small, "open", PAGES);
      expect((await ask("open", { ...(await withToken()), to: small })).paths).toEqual(FOR_STAFF);
      const refused = await ask("open", { ...(await withToken({ sub: "grace" })), to: small });
      expect(refused.body.result.isError).toBe(true);
    } finally {
      await small.close();
    }
  });
});

test("who can read a site whose readers sign in names the provider, of which agents bring tokens", async () => {
  const admin = { name: "admin", organizationId: undefined, mayWrite: false, expiresDays: undefined };
  const { text: key } = await docent.app.parts.people.adminKeys.create(admin);
  const reply = await fetch(`${docent.url}/v1/admin/sites/inside/readers`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect((await reply.json()).sentence).toBe("People who sign in with Company account and members.");
});
