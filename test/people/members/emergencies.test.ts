import { describe, expect, test } from "bun:test";
import { COMPANY, newArrival } from "../../helpers/member-data.ts";
import { HERE, openMembers, PASSWORD } from "../../helpers/open-members.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { ORGANIZATION } from "../../helpers/site-data.ts";

const VIEWER = { organizationId: ORGANIZATION.id, role: "viewer" } as const;

/** Ada, who is kept for emergencies, and Bob, who had a password before. */
async function opened() {
  const it = await openMembers();
  const ada = await it.first("Ada");
  const { link } = await it.members.invite("Bob", VIEWER);
  const bob = await it.signIn.byLink({ link: link.text, name: undefined, password: PASSWORD }, HERE);
  const later = await it.members.link((await it.members.named("Bob")).id);
  Object.assign(it.settings, { passwords: "emergency", emergency_member: "ADA" });
  return { ...it, ada, bob, later };
}

describe("where passwords are for emergencies alone", () => {
  test("that one member signs in with theirs, whatever the case of the name", async () => {
    using it = await opened();
    const secret = await it.signIn.byPassword({ name: "ada", password: PASSWORD }, HERE);
    expect([await it.who(secret), await it.who(it.ada)]).toEqual(["Ada", "Ada"]);
  });

  test("everybody else is refused as with a wrong password, so that nobody learns who is kept", async () => {
    using it = await opened();
    const answers = new Set<string>();
    for (const [name, password] of [
      ["Bob", PASSWORD],
      ["Bob", "wrong horse battery"],
      ["Ada", "wrong horse battery"],
      ["nobody", PASSWORD],
    ] as const) {
      it.asked.length = 0;
      const { code, message } = await appErrorOf(() => it.signIn.byPassword({ name, password }, HERE));
      answers.add(`${code} ${message} ${it.asked.join()}`);
    }
    expect([...answers]).toEqual([expect.stringContaining("for emergencies alone")]);
  });

  test("the sessions of others that began with a password are over", async () => {
    using it = await opened();
    expect(await it.who(it.bob)).toBeUndefined();
    Object.assign(it.settings, { passwords: "on" });
    expect(await it.who(it.bob)).toBe("Bob");
  });

  test("links and invitations of others are refused in words, old ones as well", async () => {
    using it = await opened();
    const bob = await it.members.named("Bob");
    for (const work of [
      () => it.members.invite("Cleo", VIEWER),
      () => it.members.link(bob.id),
      () => it.signIn.look(it.later.text, HERE),
      () => it.signIn.byLink({ link: it.later.text, name: undefined, password: PASSWORD }, HERE),
    ]) {
      const fault = await appErrorOf(work);
      expect([fault.code, fault.message]).toEqual(["forbidden", expect.stringContaining("switched off")]);
    }
    const own = await it.members.link((await it.members.named("Ada")).id);
    expect(await it.signIn.look(own.text, HERE)).toEqual({ purpose: "reset", name: "Ada" });
  });

  test("the one who is kept is neither removed nor made less", async () => {
    using it = await opened();
    await it.storage.members.arrive(newArrival("other", { isServerOwner: true }));
    const { id } = await it.members.named("Ada");
    expect((await appErrorOf(() => it.members.remove(id))).code).toBe("conflict");
    expect((await appErrorOf(() => it.members.setServerOwner(id, false))).code).toBe("conflict");
  });

  test("the first owner of a server can only be that one", async () => {
    using it = await openMembers();
    Object.assign(it.settings, { passwords: "emergency", emergency_member: "Ada" });
    const link = (await it.members.firstLink())?.text ?? "";
    const choose = (name: string) => it.signIn.byLink({ link, name, password: PASSWORD }, HERE);
    expect((await appErrorOf(() => choose("Eve"))).code).toBe("forbidden");
    expect(await it.who(await choose("Ada"))).toBe("Ada");
  });
});

describe("a session by a provider", () => {
  async function begun() {
    const it = await openMembers();
    await it.storage.members.arrive(newArrival("1", { roles: [VIEWER] }));
    const provided = { provider: "company", sid: "s", idToken: "t", endsAt: it.clock() + 60_000 };
    const beginning = { issuer: COMPANY.issuer, subject: "subject of 1", provided };
    const secret = await it.sessions.begin("1", beginning, HERE);
    return { ...it, secret };
  }

  test("ends at its own time", async () => {
    using it = await begun();
    it.advance(59_999);
    expect(await it.who(it.secret)).toBe("Member 1");
    it.advance(1);
    expect(await it.who(it.secret)).toBeUndefined();
  });

  test("ends when the file names its provider no more, and goes on where passwords are switched off", async () => {
    using it = await begun();
    Object.assign(it.settings, { passwords: "emergency", emergency_member: "Ada" });
    expect(await it.who(it.secret)).toBe("Member 1");
    it.providers.clear();
    expect(await it.who(it.secret)).toBeUndefined();
  });
});
