import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { AppError } from "../../src/errors.ts";
import { openVouchers, type Provider, readSignInFile, SignInFault } from "../../src/identity/identity.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../src/lib/clock.ts";
import { createIds, systemRandomBytes } from "../../src/lib/ids.ts";
import { createLog } from "../../src/lib/log.ts";
import { memoryOnce } from "../helpers/open-provider.ts";
import { COMPANIES, type Company, type CompanyOptions } from "./companies.ts";
import { createPerson, type TestPerson } from "./person.ts";

const SKEW_SECONDS = 60;

/** What the operator writes of a company's provider. */
const fileOf = ({ issuer, client, scopes, authority }: Company, more: string, knowsAuthority: boolean) => `
providers:
  - name: company
    label: Company account
    issuer: ${issuer}
    client_id: ${client.id}
    client_secret_env: SECRET
    scopes: [${scopes.join(", ")}]
    clock_skew_seconds: ${SKEW_SECONDS}
    ${authority !== undefined && knowsAuthority ? "ca_file: authority.pem" : ""}
    readers: true
    ${more}
`;

interface OpenOptions {
  more?: string;
  /** How far this server's clock is ahead. */
  aheadSeconds?: number;
  knowsAuthority?: boolean;
}

/** The provider as a server that has the file opens it. */
async function openOf(company: Company, options: OpenOptions = {}): Promise<Provider> {
  const { more = "", aheadSeconds = 0, knowsAuthority = true } = options;
  const clock = () => systemClock() + aheadSeconds * SECOND_MS;
  const files: Record<string, string> = {
    "sign-in.yml": fileOf(company, more, knowsAuthority),
    "authority.pem": company.authority ?? "",
  };
  const { providers } = await openVouchers({
    file: readSignInFile("sign-in.yml", {
      environment: { SECRET: company.client.secret },
      readFile: (path) => files[path] ?? "",
    }),
    secret: "secret",
    certificateAuthorities: [],
    once: memoryOnce(),
    clock,
    ids: createIds(clock, systemRandomBytes),
    log: createLog({ level: "debug", format: "json", clock, write: () => {} }),
  });
  const [provider] = providers;
  if (provider === undefined) throw new Error("the file names no provider");
  return provider;
}

/** The place that people come back to, and what came there by itself. */
function startPlace() {
  const notices: string[] = [];
  const waiting = Promise.withResolvers<string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method !== "POST") return new Response("here you are");
      const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
      notices.push(token);
      waiting.resolve(token);
      return new Response(null, { status: 200 });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    redirect: `${url}/callback`,
    afterLogout: `${url}/`,
    backChannel: `${url}/logout`,
    notices,
    firstNotice: waiting.promise,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** Goes through the provider's pages; what the browser brings back, and what it kept. */
async function throughPages(
  company: Company,
  provider: Provider,
  { redirect, login = "ada", person }: { redirect: string; login?: string; person?: TestPerson },
) {
  const own = person ?? createPerson(company.authority === undefined ? {} : { authority: company.authority });
  const { url, kept } = await provider.begin({ purpose: "reader", returnTo: "/", redirectUri: redirect });
  const page = await own.visit(url);
  // Who is signed in at the provider already is not asked again.
  const back = page.url.startsWith(redirect) ? page : await company.signIn(own, page, login);
  if (!back.url.startsWith(redirect)) throw new Error(`${back.url}: ${back.status} ${back.text}`);
  return { callback: new URL(back.url), kept: { ...kept, until: systemClock() + 10 * MINUTE_MS } };
}

async function signIn(company: Company, provider: Provider, options: Parameters<typeof throughPages>[2]) {
  const { callback, kept } = await throughPages(company, provider, options);
  return provider.finish(callback, kept);
}

/** The kind of the fault in which some work ends, and its words. */
async function faultOf(work: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (failed) => failed,
  );
  if (error instanceof SignInFault) return { kind: error.kind, message: error.message };
  if (error instanceof AppError) return { kind: error.code, message: error.message };
  throw error ?? new Error("it went well");
}

for (const kind of COMPANIES)
  describe.skipIf(!kind.isHere)(`a company with ${kind.name}`, () => {
    const start = (place: { redirect: string }, options: Partial<CompanyOptions> = {}) =>
      kind.start({ redirects: [place.redirect], ...options });

    test("whoever signs in is known by name and groups, and is the same the next time", async () => {
      using place = startPlace();
      await using company = await start(place);
      const provider = await openOf(company);
      const first = await signIn(company, provider, place);
      expect(first.identity).toMatchObject({ issuer: company.issuer, name: "Ada Lovelace" });
      expect([...first.identity.groups].sort()).toEqual(["docs-team", "staff"]);
      const again = await signIn(company, provider, place);
      expect(again.identity.subject).toBe(first.identity.subject);
      const other = await signIn(company, provider, { ...place, login: "grace" });
      expect(other.identity).toMatchObject({ name: "Grace Hopper", groups: ["staff"] });
      expect(other.identity.subject).not.toBe(first.identity.subject);
    });

    test("a group that was taken away is gone with the next sign-in, and so is the last one", async () => {
      using place = startPlace();
      await using company = await start(place);
      const provider = await openOf(company);
      const groups = async () => (await signIn(company, provider, place)).identity.groups;
      expect([...(await groups())].sort()).toEqual(["docs-team", "staff"]);
      await company.setGroups("ada", ["staff"]);
      expect(await groups()).toEqual(["staff"]);
      await company.setGroups("ada", []);
      expect(await groups()).toEqual([]);
    });

    test("a key that was changed in the middle of a sign-in stops nobody", async () => {
      using place = startPlace();
      await using company = await start(place);
      const provider = await openOf(company);
      await signIn(company, provider, place);
      await company.rotateKeys();
      const after = await signIn(company, provider, { ...place, login: "grace" });
      expect(after.identity.name).toBe("Grace Hopper");
    });

    test("a code is good once, and only for who began with it", async () => {
      using place = startPlace();
      await using company = await start(place);
      const provider = await openOf(company);
      const one = await throughPages(company, provider, place);
      const other = await throughPages(company, provider, { ...place, login: "grace" });
      expect(await faultOf(provider.finish(one.callback, other.kept))).toMatchObject({
        kind: "not_believed",
      });
      // Another's code in an address that is otherwise one's own: PKCE refuses it.
      const swapped = new URL(one.callback);
      swapped.searchParams.set("code", other.callback.searchParams.get("code") ?? "");
      expect(await faultOf(provider.finish(swapped, one.kept))).toMatchObject({ kind: "not_believed" });
      await provider.finish(one.callback, one.kept);
      expect(await faultOf(provider.finish(one.callback, one.kept))).toMatchObject({ kind: "not_believed" });
    });

    test("clocks may differ by as much as the file allows, and not by more", async () => {
      using place = startPlace();
      await using company = await start(place);
      const { idToken = "" } = await signIn(company, await openOf(company), place);
      const { exp = 0, iat = 0 } = decodeJwt(idToken);
      const lives = exp - iat;
      for (const aheadSeconds of [-10 * 60, SKEW_SECONDS - 15, lives + SKEW_SECONDS - 30]) {
        const provider = await openOf(company, { aheadSeconds });
        expect((await signIn(company, provider, place)).identity.name).toBe("Ada Lovelace");
      }
      const late = await openOf(company, { aheadSeconds: lives + SKEW_SECONDS + 1 });
      expect(await faultOf(signIn(company, late, place))).toMatchObject({ kind: "not_believed" });
    });

    test("a provider that is stopped is said to be away, before a sign-in and in the middle of it", async () => {
      using place = startPlace();
      await using company = await start(place);
      const begun = await openOf(company);
      const middle = await throughPages(company, begun, place);
      await company.stop();
      const away = { kind: "unavailable", message: expect.stringContaining("company does not answer") };
      expect(await faultOf(begun.finish(middle.callback, middle.kept))).toMatchObject(away);
      const provider = await openOf(company);
      const begin = () => provider.begin({ purpose: "reader", returnTo: "/", redirectUri: place.redirect });
      expect(await faultOf(begin())).toMatchObject(away);
      await company.resume();
      expect((await signIn(company, await openOf(company), place)).identity.name).toBe("Ada Lovelace");
    });

    test("a private certificate authority is believed where the file names it, and nowhere else", async () => {
      using place = startPlace();
      await using company = await start(place, { isSecure: true });
      const provider = await openOf(company);
      expect((await signIn(company, provider, place)).identity.name).toBe("Ada Lovelace");
      const stranger = await openOf(company, { knowsAuthority: false });
      const begin = stranger.begin({ purpose: "reader", returnTo: "/", redirectUri: place.redirect });
      expect(await faultOf(begin)).toMatchObject({
        kind: "unavailable",
        message: expect.stringMatching(/certificate/i),
      });
    });

    test("a secret that the provider does not know is the server's fault, and is said to be", async () => {
      using place = startPlace();
      await using company = await start(place);
      const wrong = { ...company, client: { ...company.client, secret: "another secret" } };
      const fault = await faultOf(signIn(company, await openOf(wrong), place));
      expect(fault).toMatchObject({ kind: "unavailable" });
      expect(fault.message).not.toContain("another secret");
    });
  });

describe.skipIf(!COMPANIES.some(({ name, isHere }) => name === "Keycloak" && isHere))(
  "Keycloak's sessions",
  () => {
    const keycloak = COMPANIES.filter(({ name }) => name === "Keycloak").map(({ start }) => start);
    const [start] = keycloak;
    if (start === undefined) throw new Error("Keycloak is one of the companies");

    test("who signs out here is signed out there, and comes back", async () => {
      using place = startPlace();
      await using company = await start({ redirects: [place.redirect], afterLogout: [place.afterLogout] });
      const provider = await openOf(company);
      const person = createPerson();
      const { idToken } = await signIn(company, provider, { ...place, person });
      // Nothing is asked while the provider's session lasts.
      const login = "nobody";
      expect((await signIn(company, provider, { ...place, person, login })).identity.name).toBe(
        "Ada Lovelace",
      );
      const out = await provider.logoutUrl({ idToken, returnTo: place.afterLogout });
      expect((await person.visit(out ?? "")).url).toBe(place.afterLogout);
      const begun = await provider.begin({ purpose: "reader", returnTo: "/", redirectUri: place.redirect });
      expect((await person.visit(begun.url)).text).toContain("kc-form-login");
    });

    test("a session that ends there is told here, and the token that tells it is good for nothing else", async () => {
      using place = startPlace();
      await using company = await start({
        redirects: [place.redirect],
        afterLogout: [place.afterLogout],
        backChannelLogout: place.backChannel,
        audience: "docent-mcp",
      });
      const provider = await openOf(company, { more: "mcp_audience: docent-mcp" });
      expect(await provider.tellsOfLogout()).toBe(true);
      const person = createPerson();
      const { sid, identity, idToken } = await signIn(company, provider, { ...place, person });
      // From another service of the company's: without a word of Docent's.
      await person.visit((await provider.logoutUrl({ idToken, returnTo: place.afterLogout })) ?? "");
      const token = await place.firstNotice;
      const notice = await provider.readLogoutToken(token);
      expect(notice).toMatchObject({ issuer: company.issuer, subject: identity.subject, sid });
      expect(await faultOf(provider.verifyAccessToken(token))).toMatchObject({ kind: "unauthorized" });
      expect(await faultOf(provider.readLogoutToken(idToken ?? ""))).toMatchObject({
        kind: "invalid_request",
      });
    });

    test("an access token is believed where it is made for this server, and an ID token is not", async () => {
      using place = startPlace();
      const audience = "docent-mcp";
      await using company = await start({ redirects: [place.redirect], audience });
      const provider = await openOf(company, { more: `mcp_audience: ${audience}` });
      const { callback, kept } = await throughPages(company, provider, place);
      const { token_endpoint } = await fetch(`${company.issuer}/.well-known/openid-configuration`).then(
        (reply) => reply.json(),
      );
      const reply = await fetch(token_endpoint, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: callback.searchParams.get("code") ?? "",
          redirect_uri: place.redirect,
          code_verifier: kept.codeVerifier,
          client_id: company.client.id,
          client_secret: company.client.secret,
        }),
      });
      const { access_token, id_token } = await reply.json();
      const identity = await provider.verifyAccessToken(access_token);
      expect(identity).toMatchObject({ issuer: company.issuer, name: "Ada Lovelace" });
      expect([...identity.groups].sort()).toEqual(["docs-team", "staff"]);
      expect(await faultOf(provider.verifyAccessToken(id_token))).toMatchObject({ kind: "unauthorized" });
      const elsewhere = await openOf(company, { more: "mcp_audience: another-server" });
      expect(await faultOf(elsewhere.verifyAccessToken(access_token))).toMatchObject({
        kind: "unauthorized",
      });
    });
  },
);
