import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { COMPANIES, type CompanyOptions } from "./companies.ts";
import { faultOf, openOf, SKEW_SECONDS, signIn, startPlace, throughPages } from "./opened.ts";

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
      for (const aheadSeconds of [15 - SKEW_SECONDS, SKEW_SECONDS - 15, lives + SKEW_SECONDS - 30]) {
        const provider = await openOf(company, { aheadSeconds });
        expect((await signIn(company, provider, place)).identity.name).toBe("Ada Lovelace");
      }
      for (const aheadSeconds of [-10 * 60, lives + SKEW_SECONDS + 1]) {
        const provider = await openOf(company, { aheadSeconds });
        expect(await faultOf(signIn(company, provider, place))).toMatchObject({ kind: "not_believed" });
      }
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
