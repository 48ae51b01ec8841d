import { describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/lib/clock.ts";
import { COMPANIES } from "./companies.ts";
import { type DocentOf, standingOf, startDocentOf } from "./docent-of.ts";
import { createPerson } from "./person.ts";

const ADA_OWNS = { name: "Ada Lovelace", owns: false, roles: { default: "owner" } };
const ADA_VIEWS = { name: "Ada Lovelace", owns: false, roles: { default: "viewer" } };
const SOON_MS = 20_000;

/** Waits until a browser is signed out: what tells of it comes by itself. */
async function untilSignedOut(browser: ReturnType<DocentOf["browser"]>): Promise<void> {
  for (const giveUpAt = Date.now() + SOON_MS; Date.now() < giveUpAt; await Bun.sleep(50))
    if ((await browser.standing()) === 401) return;
  throw new Error("nobody was signed out");
}

for (const { name, isHere, start } of COMPANIES)
  describe.skipIf(!isHere)(`members who sign in with ${name}`, () => {
    test("are what their groups make them, and nobody without such a group comes in", async () => {
      await using docentOf = await startDocentOf(start);
      const [ada, grace, eve] = [docentOf.browser(), docentOf.browser(), docentOf.browser()];
      await ada.signIn("ada");
      expect(await ada.standing()).toEqual(ADA_OWNS);
      await grace.signIn("grace");
      expect(await grace.standing()).toEqual({
        name: "Grace Hopper",
        owns: false,
        roles: { default: "viewer" },
      });
      const { url } = await eve.signIn("eve");
      expect(url).toBe(`${docentOf.url}/sign-in?failed=no_role&provider=company`);
      expect(await eve.standing()).toBe(401);
    });

    test("stop being it with the next sign-in once the group is gone, in every browser", async () => {
      await using docentOf = await startDocentOf(start);
      const { company } = docentOf;
      const [desk, phone] = [docentOf.browser(), docentOf.browser()];
      await desk.signIn("ada");
      await company.setGroups("ada", ["staff"]);
      expect((await phone.signIn("ada")).url).toBe(`${docentOf.url}/`);
      expect([await desk.standing(), await phone.standing()]).toEqual([ADA_VIEWS, ADA_VIEWS]);
      await company.setGroups("ada", []);
      const again = docentOf.browser();
      expect((await again.signIn("ada")).url).toContain("failed=no_role");
      const nothing = { name: "Ada Lovelace", owns: false, roles: {} };
      for (const browser of [desk, phone]) expect([401, nothing]).toContainEqual(await browser.standing());
      expect(await again.standing()).toBe(401);
      await company.setGroups("ada", ["docs-team"]);
      await again.signIn("ada");
      expect(await again.standing()).toEqual(ADA_OWNS);
    });

    test("come in while the provider changes its keys", async () => {
      await using docentOf = await startDocentOf(start);
      await docentOf.browser().signIn("ada");
      await docentOf.company.rotateKeys();
      const grace = docentOf.browser();
      await grace.signIn("grace");
      expect(await grace.standing()).toMatchObject({ name: "Grace Hopper" });
    });

    test("stay in while the provider is away, and the page to sign in at says that it is", async () => {
      await using docentOf = await startDocentOf(start);
      const { url: fresh } = await docentOf.another();
      const ada = docentOf.browser();
      await ada.signIn("ada");
      await docentOf.company.stop();
      expect(await ada.standing()).toEqual(ADA_OWNS);
      const { url } = await createPerson().visit(`${fresh}/v1/sign-in/company`);
      expect(url).toBe(`${fresh}/sign-in?failed=unavailable&provider=company`);
      await ada.signOut();
      expect(await ada.standing()).toBe(401);
      await docentOf.company.resume();
    });

    test("trust a private authority that the file names", async () => {
      await using docentOf = await startDocentOf(start, { isSecure: true });
      const ada = docentOf.browser();
      await ada.signIn("ada");
      expect(await ada.standing()).toEqual(ADA_OWNS);
    });

    test("leave nothing secret in the log", async () => {
      await using docentOf = await startDocentOf(start);
      const ada = docentOf.browser();
      const passed = (await ada.signIn("ada")).url;
      const secrets = [...ada.person.seen].flatMap((address) => {
        const { searchParams } = new URL(address);
        return ["code", "state", "nonce", "id_token_hint"].flatMap((each) => searchParams.get(each) ?? []);
      });
      expect([passed, secrets.length > 2]).toEqual([`${docentOf.url}/`, true]);
      const logged = docentOf.docent.logged.join("");
      for (const secret of [...secrets, docentOf.company.client.secret ?? "none"])
        expect(logged).not.toContain(secret);
    });
  });

const SESSION_MS: Record<string, number> = { Keycloak: 8 * HOUR_MS, Dex: HOUR_MS };

for (const { name, isHere, start } of COMPANIES)
  describe.skipIf(!isHere)(`a session by ${name}`, () => {
    test("lasts for a working day where the provider tells who leaves, and for an hour where it does not", async () => {
      const time = { aheadMs: 0 };
      await using docentOf = await startDocentOf(start, { clock: () => Date.now() + time.aheadMs });
      const ada = docentOf.browser();
      await ada.signIn("ada");
      const lastsMs = SESSION_MS[name] ?? 0;
      time.aheadMs = lastsMs - MINUTE_MS;
      expect(await ada.standing()).toEqual(ADA_OWNS);
      time.aheadMs = lastsMs + SECOND_MS;
      expect(await ada.standing()).toBe(401);
    });
  });

describe.skipIf(!COMPANIES.every(({ isHere }) => isHere))("two providers of one server", () => {
  const [first, second] = COMPANIES;
  if (first === undefined || second === undefined) throw new Error("there are two companies");

  test("know people of the same name, who are not the same member", async () => {
    await using docentOf = await startDocentOf(first.start, { other: second.start });
    const ada = docentOf.browser();
    await ada.signIn("ada");
    const other = createPerson();
    await docentOf.other.signIn(other, await other.visit(`${docentOf.url}/v1/sign-in/other`), "ada");
    expect(await ada.standing()).toEqual(ADA_OWNS);
    expect(await standingOf(other, docentOf.url)).toEqual({ ...ADA_OWNS, name: "Ada Lovelace (other)" });
  });

  test("cannot be taken for each other: what one sends back is nothing at the other's address", async () => {
    await using docentOf = await startDocentOf(first.start, { other: second.start });
    const { url, company } = docentOf;
    const person = createPerson();
    const page = await person.visit(`${url}/v1/sign-in/company`);
    const { url: callback } = await company.signIn(person, page, "ada", `${url}/`);
    const swapped = callback.replace("/company/callback", "/other/callback");
    expect((await person.visit(swapped)).url).toBe(`${url}/sign-in?failed=expired&provider=other`);
    expect(await standingOf(person, url)).toBe(401);
  });
});

const keycloak = COMPANIES.find(({ name }) => name === "Keycloak");

describe.skipIf(keycloak?.isHere !== true)("members who leave Keycloak", () => {
  const start = keycloak?.start ?? (() => Promise.reject(new Error("Keycloak is one of the companies")));

  test("sign out in both places at once, and are asked again", async () => {
    await using docentOf = await startDocentOf(start);
    const ada = docentOf.browser();
    await ada.signIn("ada");
    const out = await ada.signOut();
    expect(await ada.standing()).toBe(401);
    expect((await ada.person.visit(out ?? "")).url).toBe(`${docentOf.url}/sign-in`);
    const page = await ada.person.visit(`${docentOf.url}/v1/sign-in/company`);
    expect(page.text).toContain("kc-form-login");
  });

  test("are signed out here, in every browser, and nobody else is", async () => {
    await using docentOf = await startDocentOf(start);
    const [desk, phone, grace] = [docentOf.browser(), docentOf.browser(), docentOf.browser()];
    await desk.signIn("ada");
    await phone.signIn("ada");
    await grace.signIn("grace");
    await docentOf.company.endSessions("ada");
    await Promise.all([untilSignedOut(desk), untilSignedOut(phone)]);
    expect(await grace.standing()).toMatchObject({ name: "Grace Hopper" });
    await desk.signIn("ada");
    expect(await desk.standing()).toEqual(ADA_OWNS);
  });

  test("may say no when they are asked whether Docent may know them, which is said", async () => {
    await using docentOf = await startDocentOf((options) => start({ ...options, asksConsent: true }));
    const ada = docentOf.browser();
    const page = await ada.signIn("ada");
    const { url } = await ada.person.submit(page, { cancel: "No" });
    expect(url).toBe(`${docentOf.url}/sign-in?failed=refused&provider=company`);
    expect(await ada.standing()).toBe(401);
  });

  test("are signed out in the browser that leaves Keycloak, and stay in the other", async () => {
    await using docentOf = await startDocentOf(start);
    const [desk, phone] = [docentOf.browser(), docentOf.browser()];
    await desk.signIn("ada");
    await phone.signIn("ada");
    // By Keycloak's own page, without a word to Docent.
    const page = await desk.person.visit(`${docentOf.company.issuer}/protocol/openid-connect/logout`);
    await desk.person.submit(page, {});
    await untilSignedOut(desk);
    expect(await phone.standing()).toEqual(ADA_OWNS);
  });
});
