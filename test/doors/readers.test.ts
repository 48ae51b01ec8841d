import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";
import { letReadersSignIn, type SignedInSite } from "../helpers/signed-in-site.ts";

// Who is let in at the doors of a site whose readers sign in. What tokens are good is in test/people/readers.

let docent: TestDocent;
let site: SignedInSite;
let open: SignedInSite;
beforeAll(async () => {
  docent = await startDocent({ settings: { private_hosts: "127.0.0.1" }, logLevel: "debug" });
  await docent.app.parts.people.sites.set("acme", {
    settings: { public: true, starterQuestions: ["What is Acme?"] },
  });
  site = await letReadersSignIn(docent);
  await addSiteWithPages(docent, "open", { "index.md": "# Start\n\nOpen to all." });
  open = await letReadersSignIn(docent, "open", { readers: "public" });
});
afterAll(() => docent.close());

const THREAD = "01KT0000000000000000000002";
const MESSAGE = "01KT0000000000000000000001";
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const v1 = question("How do I install Acme?");
const v2 = {
  fp: "x",
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "How do I install it?" }] }],
};
const chat = (model: string) => ({ model, messages: [{ role: "user", content: "How do I install Acme?" }] });
const click = { type: "search_click", path: "guide/install" };
const opinion = { messageId: MESSAGE, threadId: THREAD, helpful: true };
const call = { threadId: THREAD, email: "ada@example.com" };

/** Every door that a key opens: its address, what is posted there, and what a reader is answered. */
const DOORS: [
  name: string,
  path: (domain: string) => string,
  body: (domain: string) => unknown,
  status: number,
][] = [
  ["v1", (domain) => `/v1/assistant/${domain}/message`, () => v1, 200],
  ["v2", (domain) => `/v2/assistant/${domain}/message`, () => v2, 200],
  ["v1 with its prefix", (domain) => `/discovery/v1/assistant/${domain}/message`, () => v1, 200],
  ["chat completions", () => "/v1/chat/completions", chat, 200],
  ["responses", () => "/v1/responses", (model) => ({ model, input: "How do I install Acme?" }), 200],
  ["a model", (domain) => `/v1/models/${domain}`, () => undefined, 200],
  ["search", (domain) => `/v1/search/${domain}`, () => ({ query: "install" }), 200],
  ["page", (domain) => `/v1/page/${domain}`, () => ({ path: "" }), 200],
  ["widget", (domain) => `/v1/widget/${domain}`, () => undefined, 200],
  ["feedback", (domain) => `/v1/feedback/${domain}`, () => opinion, 404],
  ["hand-over", (domain) => `/v1/hand-over/${domain}`, () => call, 404],
  ["events", (domain) => `/v1/events/${domain}`, () => click, 204],
  ["MCP", (domain) => `/mcp/${domain}`, () => LIST, 200],
];

interface Sent {
  headers?: Record<string, string>;
  key?: string | null;
  domain?: string;
}

async function send(path: string, body: unknown, { headers = {}, key }: Sent = {}) {
  const reply = await fetch(`${docent.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json, text/event-stream",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === null ? {} : { authorization: `Bearer ${key ?? docent.key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const messageIn = (text: string): string => {
  const { error, message = error.message } = JSON.parse(text);
  return message;
};
const NEEDED =
  "This is for readers who have signed in: send the site's token for its reader in the header x-docent-reader.";

describe.each(DOORS)("%s, of a site whose readers sign in", (_, path, body, status) => {
  const ask = (sent: Sent = {}) => send(path(sent.domain ?? "acme"), body(sent.domain ?? "acme"), sent);

  test("answers its reader", async () => {
    expect((await ask({ headers: await site.as() })).status).toBe(status);
  });

  test("says to everyone else what to send, and nothing of the site", async () => {
    const { status: refused, text } = await ask();
    expect([refused, messageIn(text)]).toEqual([401, NEEDED]);
    expect(text).not.toMatch(/install|Acme|What is/);
    expect((await ask({ headers: { "x-docent-reader": " " } })).status).toBe(401);
  });

  test("says what is wrong with a token", async () => {
    const old = await site.as("ada", { iat: 1_700_000_000, exp: 1_700_000_300 });
    const { status: refused, text } = await ask({ headers: old });
    expect([refused, messageIn(text)]).toEqual([401, "The reader's token has expired. Ask for a new one."]);
  });

  test("takes the token of no other site", async () => {
    expect((await ask({ headers: await open.as("ada", { aud: ["acme", "open"] }) })).status).toBe(401);
  });

  test("takes no token in its address, nor what a cookie, a query or a proxy's header says", async () => {
    const token = await site.tokenFor();
    const at = path("acme");
    for (const query of [
      `x-docent-reader=${token}`,
      `token=${token}`,
      `pass=${token}`,
      "pass=9999999999999.x.y",
    ])
      expect((await send(`${at}?${query}`, body("acme"))).status).toBe(401);
    const forged = {
      "x-forwarded-user": "ada",
      "remote-user": "ada",
      cookie: `docent_reader_session=${token}`,
    };
    expect((await ask({ headers: forged })).status).toBe(401);
  });

  test("on a site for everyone, answers all, and refuses a token that is not good", async () => {
    const known = await ask({ domain: "open", headers: await open.as() });
    expect((await ask({ domain: "open" })).status).toBe(known.status);
    expect(known.status).toBe(status);
    expect((await ask({ domain: "open", headers: await site.as() })).status).toBe(401);
  });
});

describe("a site whose readers sign in", () => {
  test("is no model to whoever may not read it", async () => {
    const listed = async (headers: Record<string, string>) =>
      JSON.parse((await send("/v1/models", undefined, { headers })).text).data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await listed({})).toEqual(["open"]);
    expect(await listed(await site.as())).toEqual(["acme", "open"]);
    expect(await listed(await open.as())).toEqual(["open"]);
  });

  test("is read by agents with a reader's token, with a key beside it or without", async () => {
    const headers = await site.as();
    expect((await send("/mcp/acme", LIST, { headers, key: null })).status).toBe(200);
    const { status, text } = await send("/mcp/acme", LIST, { key: null });
    expect([status, messageIn(text)]).toEqual([401, NEEDED]);
  });

  test("costs its organization nothing where whoever asks may not read it", async () => {
    const { key } = docent;
    const before = (await send("/v1/page/open", { path: "" }, { key })).headers.get("ratelimit-remaining");
    for (let i = 0; i < 5; i++) await send("/v1/page/acme", { path: "" });
    const after = (await send("/v1/page/open", { path: "" }, { key })).headers.get("ratelimit-remaining");
    expect(Number(before) - Number(after)).toBe(1);
  });

  test("lets pages send the header, as browsers ask before they do", async () => {
    const reply = await fetch(`${docent.url}/v1/search/acme`, {
      method: "OPTIONS",
      headers: {
        origin: "https://docs.example.com",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,x-docent-reader",
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-headers")).toContain("x-docent-reader");
    expect(reply.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("no token, and no part of one, gets into the log", async () => {
    const token = await site.tokenFor("ada", { name: "Ada Byron" });
    await send("/v1/search/acme", { query: "install" }, { headers: { "x-docent-reader": token } });
    await send("/v1/search/acme", { query: "install" }, { headers: { "x-docent-reader": `${token}x` } });
    const logged = docent.logged.join("");
    for (const part of token.split(".")) expect(logged).not.toContain(part);
    expect(logged).not.toContain("Byron");
  });
});
