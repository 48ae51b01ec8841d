import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startDocent } from "../helpers/docent.ts";
import { type SignInDoor, startSignInDoor } from "../helpers/sign-in-door.ts";
import { until } from "../helpers/until.ts";

let door: SignInDoor;
let at: string;
beforeAll(async () => {
  door = await startSignInDoor();
  at = door.app.publicUrl;
  // An owner with a password, so that nobody's sign-in makes the last owner.
  const link = await door.app.parts.people.members.firstLink();
  await door.browser().ask("PUT", `${at}/v1/session/link`, {
    link: link?.text,
    name: "root",
    password: "correct horse battery",
  });
});
afterAll(() => door.close());

const members = () => door.app.parts.people.members.list();

describe("signing in with a provider", () => {
  test("the ways in are told to everybody, and nothing else of the file", async () => {
    const { status, text } = await door.browser().go(`${at}/v1/sign-in`);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { providers: [{ name: "company", label: "Company account", purposes: ["member"] }], passwords: "on" },
    ]);
  });

  test("makes a member with what their groups say, leads back to where they were, and is kept in the audit log", async () => {
    const browser = door.browser();
    door.provider.whoSignsIn = "grace";
    const visited = await browser.go(`${at}/v1/sign-in/company?returnTo=%2Fmembers%3Fa%3D1`);
    expect([visited.status, visited.url.href]).toEqual([200, `${at}/members?a=1`]);
    const { text } = await browser.ask("GET", `${at}/v1/session`);
    expect(JSON.parse(text)).toMatchObject({
      member: { name: "Grace Hopper", isServerOwner: false, provider: "company" },
      // Of a group that owns and one that looks, the more counts.
      organizations: [{ name: "default", role: "owner" }],
    });
    const [signedIn, became] = await door.audit();
    expect(signedIn).toMatchObject({ kind: "member.signed-in", details: { with: "company" } });
    expect(became).toMatchObject({
      kind: "member.role-changed",
      subject: "Grace Hopper",
      details: { role: "owner" },
    });
  });

  test("an organization that the file names and that there is not gives nothing, and is told in the log once", async () => {
    await door.signIn("grace");
    await door.signIn("grace");
    const told = door.logged.filter((line) => line.includes("an organization that there is not"));
    expect([told.length, told[0]]).toEqual([1, expect.stringContaining('"nowhere"')]);
  });

  test("the session that the browser had ends, and is not taken over", async () => {
    const { browser } = await door.signIn("grace");
    const before = browser.cookies(at)["docent_session"] ?? "";
    await door.signIn("grace", browser);
    const after = browser.cookies(at)["docent_session"] ?? "";
    expect(after).not.toBe(before);
    const planted = door.browser();
    planted.setCookies(at, { docent_session: "docent_ses_111111111111111111111111111111111" });
    await door.signIn("grace", planted);
    expect(planted.cookies(at)["docent_session"]).not.toContain("1111");
    expect(await door.who(planted)).toBe("Grace Hopper");
  });

  test("what they may do changes with their groups, at the next sign-in", async () => {
    await door.signIn("grace");
    door.provider.people["grace"] = { name: "Grace Hopper", groups: ["staff"] };
    const { browser } = await door.signIn("grace");
    const { text } = await browser.ask("GET", `${at}/v1/session`);
    expect(JSON.parse(text).organizations).toMatchObject([{ role: "viewer" }]);
    const grace = (await members()).filter(({ name }) => name.startsWith("Grace"));
    expect(grace).toMatchObject([{ name: "Grace Hopper", roles: [{ role: "viewer" }] }]);
    door.provider.people["grace"] = { name: "Grace Hopper", groups: ["writers", "staff"] };
  });

  test("who loses every group is signed out everywhere and let in nowhere, and is the same member when they come back", async () => {
    const { browser: before } = await door.signIn("grace");
    const { id } = (await members()).find(({ name }) => name === "Grace Hopper") ?? {};
    door.provider.people["grace"] = { name: "Grace Hopper", groups: [] };
    const { browser, at: visited } = await door.signIn("grace");
    expect(visited.url.pathname + visited.url.search).toBe("/sign-in?failed=no_role&provider=company");
    expect([await door.who(browser), await door.who(before)]).toEqual([401, 401]);
    expect((await members()).find((each) => each.id === id)).toMatchObject({
      roles: [],
      isServerOwner: false,
    });
    await until(async () => (await door.audit())[0]?.kind === "member.sign-in-failed");
    expect((await door.audit())[0]).toMatchObject({ kind: "member.sign-in-failed", subject: "Grace Hopper" });
    door.provider.people["grace"] = { name: "Grace Hopper", groups: ["writers"] };
    const { browser: again } = await door.signIn("grace");
    expect(await door.who(again)).toBe("Grace Hopper");
    expect((await members()).find(({ name }) => name === "Grace Hopper")?.id).toBe(String(id));
  });

  test("who belongs to no group that is named here is made no member", async () => {
    const { at: visited } = await door.signIn("eve");
    expect(visited.url.search).toBe("?failed=no_role&provider=company");
    expect((await members()).some(({ name }) => name === "Eve")).toBe(false);
  });

  test("who is called as a member with a password is another member, and the first one stays as they were", async () => {
    door.provider.people["mallory"] = { name: "ROOT", groups: ["staff"] };
    const { browser } = await door.signIn("mallory");
    expect(await door.who(browser)).toBe("ROOT (company)");
    expect((await members()).find(({ name }) => name === "root")).toMatchObject({ isServerOwner: true });
  });

  test("whoever says no at the provider comes back to the page to sign in at", async () => {
    const browser = door.browser();
    door.provider.whoSignsIn = undefined;
    const { url } = await browser.go(`${at}/v1/sign-in/company?returnTo=/members`);
    expect(url.pathname + url.search).toBe("/sign-in?failed=refused&provider=company&next=%2Fmembers");
  });

  test("a key that is changed in the middle keeps nobody out", async () => {
    await door.signIn("ada");
    await door.provider.rotate();
    const { browser } = await door.signIn("ada");
    expect(await door.who(browser)).toBe("Ada Lovelace");
  });

  test("two tabs may sign in at the same time", async () => {
    const browser = door.browser();
    door.provider.whoSignsIn = "ada";
    const [one, other] = [
      await browser.go(`${at}/v1/sign-in/company`, { follow: false }),
      await browser.go(`${at}/v1/sign-in/company`, { follow: false }),
    ];
    for (const tab of [other, one]) {
      const { url } = await browser.go(String(tab.headers.get("location")));
      expect(url.href).toBe(`${at}/`);
    }
    expect(Object.keys(browser.cookies(at))).toEqual(["docent_session"]);
  });

  test("a hundred begun sign-ins do not fill the browser's cookies", async () => {
    const browser = door.browser();
    for (let index = 0; index < 30; index++) await browser.go(`${at}/v1/sign-in/company`, { follow: false });
    expect(Object.keys(browser.cookies(at)).length).toBeLessThanOrEqual(6);
  });

  test("of a provider that is not there, and for a purpose that it does not have, nothing is known", async () => {
    const browser = door.browser();
    for (const path of ["other", "other/callback?code=a&state=b", "company?purpose=reader"])
      expect((await browser.go(`${at}/v1/sign-in/${path}`)).status).toBe(404);
  });
});

describe("roles that come from elsewhere", () => {
  test("are not changed here, and their member has no link to choose a password", async () => {
    await door.signIn("grace");
    const { browser } = await door.signIn("ada");
    const { id } = (await members()).find(({ name }) => name === "Grace Hopper") ?? {};
    const change = await browser.ask("PATCH", `${at}/v1/admin/members/${id}`, {
      organization: "default",
      role: "viewer",
    });
    expect([change.status, change.text]).toEqual([409, expect.stringContaining("groups at company")]);
    const link = await browser.ask("POST", `${at}/v1/admin/members/${id}/link`);
    expect([link.status, link.text]).toEqual([409, expect.stringContaining("signs in with company")]);
    expect((await browser.ask("DELETE", `${at}/v1/admin/members/${id}`)).status).toBe(204);
  });
});

describe("signing out", () => {
  test("here, the reply says where to sign out there too, and that ends the provider's session", async () => {
    const { browser } = await door.signIn("ada");
    const out = await browser.ask("DELETE", `${at}/v1/session`);
    expect(out.status).toBe(200);
    const { logoutUrl } = JSON.parse(out.text);
    expect(new URL(logoutUrl).origin).toBe(door.provider.issuer);
    expect(new URL(logoutUrl).searchParams.get("post_logout_redirect_uri")).toBe(`${at}/sign-in`);
    expect(await door.who(browser)).toBe(401);
    const page = await browser.go(logoutUrl);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    const done = await browser.submit(`${door.provider.issuer}/session/end/confirm`, { xsrf, logout: "yes" });
    expect(done.url.pathname).toBe("/sign-in");
    expect(browser.cookies(door.provider.issuer)["_session"]).toBeUndefined();
  });

  test("there, every session here by that one ends, and no other", async () => {
    const { browser } = await door.signIn("ada");
    const { browser: elsewhere } = await door.signIn("ada");
    const { browser: grace } = await door.signIn("grace");
    const page = await browser.go(`${door.provider.issuer}/session/end?client_id=docent`);
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    await browser.submit(`${door.provider.issuer}/session/end/confirm`, { xsrf, logout: "yes" });
    await until(async () => (await door.who(browser)) === 401);
    expect([await door.who(browser), await door.who(elsewhere), await door.who(grace)]).toEqual([
      401,
      "Ada Lovelace",
      "Grace Hopper",
    ]);
  });
});

describe("a provider that is away", () => {
  test("who is signed in goes on; who comes is told so in the address, and the log has why", async () => {
    const lost = await startSignInDoor();
    const url = lost.app.publicUrl;
    const { browser } = await lost.signIn("ada");
    await lost.provider.stop();
    expect(await lost.who(browser)).toBe("Ada Lovelace");
    // The address of the provider is known yet; what it gives out cannot be exchanged.
    const fresh = lost.browser();
    const begun = await fresh.go(`${url}/v1/sign-in/company`, { follow: false });
    const state = new URL(String(begun.headers.get("location"))).searchParams.get("state");
    const issuer = encodeURIComponent(lost.provider.issuer);
    const back = await fresh.go(`${url}/v1/sign-in/company/callback?code=x&state=${state}&iss=${issuer}`);
    expect(back.url.search).toBe("?failed=unavailable&provider=company");
    expect(lost.logged.join("")).toContain("does not answer");
    const out = await browser.ask("DELETE", `${url}/v1/session`);
    expect(out.status).toBe(200);
    await lost.close().catch(() => {});
  });

  test("one that was never there keeps nobody from starting the server", async () => {
    const lost = await startSignInDoor();
    const file = lost.app.publicUrl;
    await lost.provider.stop();
    const begun = await lost.browser().go(`${file}/v1/sign-in/company`);
    expect(begun.url.search).toBe("?failed=unavailable&provider=company");
    await lost.close().catch(() => {});
  });
});

test("a server whose sign-in file is wrong does not start, and says where it is wrong", async () => {
  await expect(startDocent({ docs: null, settings: { sign_in_file: "/none.yml" } })).rejects.toThrow(
    "sign_in_file: /none.yml cannot be read.",
  );
  await expect(startDocent({ docs: null, settings: { passwords: "emergency" } })).rejects.toThrow(
    "passwords: emergency needs sign_in_file and emergency_member.",
  );
});
