import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { type LyingProvider, startLyingProvider, yamlFor } from "../helpers/lying-provider.ts";
import { type SmallBrowser, smallBrowser } from "../helpers/small-browser.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
const folder = temporaryDirectory();
let lying: LyingProvider;
let docent: TestDocent;
let at: string;
beforeAll(async () => {
  lying = await startLyingProvider();
  const file = join(folder.path, "sign-in.yml");
  await Bun.write(file, yamlFor(lying.issuer));
  docent = await startDocent({ docs: null, settings: { sign_in_file: file }, logLevel: "debug" });
  at = docent.app.publicUrl;
});
afterAll(async () => {
  await docent.close();
  lying.stop();
  folder[Symbol.dispose]();
});

/** Begins in a browser, and tells the state; the provider's next ID token fits it. */
async function begin(browser: SmallBrowser, path = "/v1/sign-in/company") {
  const begun = await browser.go(`${at}${path}`, { follow: false });
  const url = new URL(begun.headers.get("location") ?? "");
  const state = url.searchParams.get("state") ?? "";
  lying.claims = { groups: ["admins"], nonce: url.searchParams.get("nonce") ?? "", sid: "s1" };
  return { state, begun };
}

const callback = (state: string, more = "") =>
  `${at}/v1/sign-in/company/callback?code=good&state=${state}${more}`;
const cameIn = (browser: SmallBrowser) => browser.cookies(at)["docent_session"] !== undefined;

describe("what a stranger could try with a browser", () => {
  test("a sign-in that another browser began takes nobody in (login CSRF)", async () => {
    const attacker = smallBrowser();
    const { state } = await begin(attacker);
    const victim = smallBrowser();
    const { url } = await victim.go(callback(state), { from: "cross-site" });
    expect([url.search, cameIn(victim)]).toEqual(["?failed=expired&provider=company", false]);
    // Whoever began it may go on.
    await attacker.go(callback(state));
    expect(cameIn(attacker)).toBe(true);
  });

  test("a state works once, and one without a state never", async () => {
    const browser = smallBrowser();
    const { state, begun } = await begin(browser);
    const kept = browser.cookies(at);
    expect((await browser.go(callback(state))).url.pathname).toBe("/");
    const again = smallBrowser();
    again.setCookies(at, kept);
    expect((await again.go(callback(state))).url.search).toContain("failed=expired");
    expect((await again.go(`${at}/v1/sign-in/company/callback?code=good`)).url.search).toContain(
      "failed=expired",
    );
    expect(cameIn(again)).toBe(false);
    expect(begun.headers.get("set-cookie")).toMatch(
      /^docent_sign_in_\w{12}=[\w-]+\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test("what failed is used up as well", async () => {
    const browser = smallBrowser();
    const { state } = await begin(browser);
    const kept = browser.cookies(at);
    lying.claims = { ...lying.claims, aud: "grafana" };
    expect((await browser.go(callback(state))).url.search).toContain("failed=not_believed");
    expect(browser.cookies(at)).toEqual({});
    browser.setCookies(at, kept);
    expect((await browser.go(callback(state))).url.search).toContain("failed=expired");
  });

  test.each([
    ["an ID token of another sign-in (replayed nonce)", () => ({ nonce: "n".repeat(33) })],
    ["one without a nonce", () => ({ nonce: undefined })],
    ["one of another provider", () => ({ iss: "https://evil.example" })],
    ["one that has ended", () => ({ exp: lying.now() - 61 })],
  ])("%s takes nobody in", async (_, change) => {
    const browser = smallBrowser();
    const { state } = await begin(browser);
    lying.claims = { ...lying.claims, ...Object(change()) };
    const { url } = await browser.go(callback(state));
    expect([url.search, cameIn(browser)]).toEqual(["?failed=not_believed&provider=company", false]);
  });

  test("an answer that names another provider takes nobody in (mix-up)", async () => {
    const browser = smallBrowser();
    const { state } = await begin(browser);
    const { url } = await browser.go(callback(state, "&iss=https%3A%2F%2Fevil.example"));
    expect([url.search, cameIn(browser)]).toEqual(["?failed=not_believed&provider=company", false]);
  });

  test.each([
    "//evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "/%09/evil.example",
    "/%2f/evil.example",
    "/%5cevil.example",
    "/\t/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "",
  ])("returnTo=%j leads to the server's own first page", async (returnTo) => {
    const browser = smallBrowser();
    const { state } = await begin(browser, `/v1/sign-in/company?returnTo=${encodeURIComponent(returnTo)}`);
    const reply = await browser.go(callback(state), { follow: false });
    expect(reply.headers.get("location")).toBe("/");
  });

  test("a page of elsewhere may lead a person here, and not ask unseen", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    const reply = await fetch(`${at}/v1/sign-in/company`, { headers, redirect: "manual" });
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([403, null]);
    const led = await smallBrowser().go(`${at}/v1/sign-in/company`, { from: "cross-site", follow: false });
    expect(led.status).toBe(302);
  });

  test("under a host that nobody named, nothing begins and nothing ends", async () => {
    for (const path of ["", "/company", "/company/callback?code=good&state=x"]) {
      const headers = { host: "evil.example" };
      const reply = await fetch(`${at}/v1/sign-in${path}`, { headers, redirect: "manual" });
      expect(reply.status).toBe(403);
    }
  });
});

test("nothing on the way is kept by a cache or told to the next address, and nothing secret is in the log", async () => {
  const browser = smallBrowser();
  const { state, begun } = await begin(browser);
  const nonce = String(lying.claims["nonce"]);
  const cookies = browser.cookies(at);
  const back = await browser.go(callback(state), { follow: false });
  for (const { headers } of [begun, back]) {
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
  }
  const failing = smallBrowser();
  const second = await begin(failing);
  lying.claims = { ...lying.claims, aud: "grafana" };
  await failing.go(callback(second.state));
  const entries = await docent.app.parts.people.audit.list(
    { from: 0, to: Number.MAX_SAFE_INTEGER },
    {},
    { limit: 100 },
    new AbortController().signal,
  );
  const told = docent.logged.join("") + JSON.stringify(entries);
  const secrets = [
    state,
    second.state,
    nonce,
    "good",
    ...Object.values(cookies),
    ...Object.values(browser.cookies(at)),
  ];
  for (const secret of secrets) expect(told).not.toContain(`${secret}`);
  expect(told).not.toMatch(/eyJ[\w-]+\.eyJ/);
});

describe("a provider's notice that a session has ended", () => {
  const send = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${at}/v1/sign-in/company/logged-out`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ logout_token: token }),
    });
  const signed = (jti: string, more: object = {}) =>
    lying.sign({ events: EVENTS, jti, sid: "s1", ...more }, { header: { typ: "logout+jwt" } });

  async function signedIn() {
    const browser = smallBrowser();
    const { state } = await begin(browser);
    lying.claims = { ...lying.claims, sub: "ada" };
    await browser.go(callback(state));
    const status = async () => (await browser.ask("GET", `${at}/v1/session`)).status;
    expect(await status()).toBe(200);
    return { status };
  }

  test("ends it, once", async () => {
    const { status } = await signedIn();
    const token = await signed("j1");
    const reply = await send(token);
    expect([reply.status, reply.headers.get("cache-control"), await status()]).toEqual([
      200,
      "no-store",
      401,
    ]);
    const { status: later } = await signedIn();
    expect([(await send(token)).status, await later()]).toEqual([400, 200]);
  });

  test("of another session, another subject or another provider ends nothing", async () => {
    const { status } = await signedIn();
    expect((await send(await signed("j2", { sid: "s2" }))).status).toBe(200);
    expect((await send(await signed("j3", { sub: "eve", sid: "s1" }))).status).toBe(200);
    expect((await send(await signed("j4", { iss: "https://evil.example" }))).status).toBe(400);
    expect((await send(await signed("j5", { nonce: "n" }))).status).toBe(400);
    expect(await status()).toBe(200);
    expect((await send(await signed("j6", { sid: undefined }))).status).toBe(200);
    expect(await status()).toBe(401);
  });

  test("is not taken from a page of another origin, as JSON, or without its token", async () => {
    const token = await signed("j7");
    expect((await send(token, { origin: "https://evil.example" })).status).toBe(403);
    const post = (body: string, type: string) =>
      fetch(`${at}/v1/sign-in/company/logged-out`, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
    expect((await post(JSON.stringify({ logout_token: token }), "application/json")).status).toBe(415);
    expect((await post("token=x", "application/x-www-form-urlencoded")).status).toBe(400);
    expect(
      (await post(`logout_token=${"x".repeat(70_000)}`, "application/x-www-form-urlencoded")).status,
    ).toBe(413);
  });
});
