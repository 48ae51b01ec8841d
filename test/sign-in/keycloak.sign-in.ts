import { describe, expect, test } from "bun:test";
import { COMPANIES, PASSWORD } from "./companies.ts";
import { faultOf, openOf, signIn, startPlace, throughPages } from "./opened.ts";
import { createPerson } from "./person.ts";

const keycloak = COMPANIES.find(({ name }) => name === "Keycloak");
const start: (typeof COMPANIES)[number]["start"] =
  keycloak?.start ?? (() => Promise.reject(new Error("Keycloak is one of the companies")));

describe.skipIf(keycloak?.isHere !== true)("Keycloak's sessions", () => {
  test("who signs out here is signed out there, and comes back", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect], afterLogout: [place.afterLogout] });
    const provider = await openOf(company);
    const person = createPerson();
    const { idToken } = await signIn(company, provider, { ...place, person });
    // Nothing is asked while the provider's session lasts.
    const login = "nobody";
    expect((await signIn(company, provider, { ...place, person, login })).identity.name).toBe("Ada Lovelace");
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
        client_secret: company.client.secret ?? "",
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
});

describe.skipIf(keycloak?.isHere !== true)("Keycloak as its administrator has set it up", () => {
  for (const algorithm of ["PS256", "ES256", "EdDSA"])
    test(`signs with ${algorithm}, and is believed`, async () => {
      using place = startPlace();
      await using company = await start({ redirects: [place.redirect], algorithm });
      expect((await signIn(company, await openOf(company), place)).identity.name).toBe("Ada Lovelace");
    });

  test("signs with the secret that it shares with this server, and is not believed", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect], algorithm: "HS256" });
    const fault = await faultOf(signIn(company, await openOf(company), place));
    expect(fault).toMatchObject({ kind: "not_believed" });
  });

  test("tells the groups only where it is asked for who somebody is", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect], groupsIn: "userinfo" });
    const { identity } = await signIn(company, await openOf(company), place);
    expect([...identity.groups].sort()).toEqual(["docs-team", "staff"]);
  });

  test("knows this server by no secret, but by what each sign-in begins with", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect], isPublic: true });
    const { identity } = await signIn(company, await openOf(company), place);
    expect(identity.name).toBe("Ada Lovelace");
  });

  test("says who it is in what it sends back: another's name, or none, is not believed", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect] });
    const provider = await openOf(company);
    for (const iss of ["https://id.elsewhere.example", undefined]) {
      const { callback, kept } = await throughPages(company, provider, place);
      expect(callback.searchParams.get("iss")).toBe(company.issuer);
      if (iss === undefined) callback.searchParams.delete("iss");
      else callback.searchParams.set("iss", iss);
      expect(await faultOf(provider.finish(callback, kept))).toMatchObject({ kind: "not_believed" });
    }
  });

  test("does not know a scope that the file names: this is not the fault of who signs in", async () => {
    using place = startPlace();
    await using company = await start({ redirects: [place.redirect] });
    const provider = await openOf({ ...company, scopes: ["openid", "groups"] });
    const fault = await faultOf(signIn(company, provider, place));
    expect(fault).toMatchObject({ kind: "unavailable", message: expect.stringContaining("invalid_scope") });
  });

  test("has somebody in very many groups: all of them come, and signing out works", async () => {
    using place = startPlace();
    const groups = Array.from({ length: 100 }, (_, index) => `department-with-a-long-name-${index}`);
    const people = [{ login: "ada", name: "Ada Lovelace", password: PASSWORD, groups }];
    const afterLogout = [place.afterLogout];
    await using company = await start({ redirects: [place.redirect], afterLogout, people });
    const provider = await openOf(company);
    const person = createPerson();
    const { identity, idToken } = await signIn(company, provider, { ...place, person });
    expect([...identity.groups].sort()).toEqual([...groups].sort());
    expect(idToken).toBeUndefined();
    // Without the token that says who it is, Keycloak asks.
    const page = await person.visit(
      (await provider.logoutUrl({ idToken, returnTo: place.afterLogout })) ?? "",
    );
    expect((await person.submit(page, {})).url).toBe(place.afterLogout);
  });
});
