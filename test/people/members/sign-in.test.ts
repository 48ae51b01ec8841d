import { describe, expect, test } from "bun:test";
import { HERE, LINK_MS, openMembers, PASSWORD } from "../../helpers/open-members.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { ORGANIZATION } from "../../helpers/site-data.ts";

const VIEWER = { organizationId: ORGANIZATION.id, role: "viewer" } as const;
const NEW = "another good password";

describe("signing in by name and password", () => {
  test("gives a session of that member, whatever the case and form of the name's letters", async () => {
    using it = await openMembers();
    await it.first("Zoë Å");
    for (const name of ["Zoë Å", "zoë å", " ZOE\u0308 \u212b "]) {
      const secret = await it.signIn.byPassword({ name, password: PASSWORD }, HERE);
      expect(await it.who(secret)).toBe("Zoë Å");
    }
  });

  test("a password is the same however a keyboard writes its letters", async () => {
    using it = await openMembers();
    const link = (await it.members.firstLink())?.text ?? "";
    await it.signIn.byLink({ link, name: "Ada", password: "cafe\u0301 au lait" }, HERE);
    await it.signIn.byPassword({ name: "Ada", password: "café au lait" }, HERE);
  });

  test("a wrong password, an unknown name and somebody without a password are one answer, and one work", async () => {
    using it = await openMembers();
    await it.first();
    await it.members.invite("Bob", VIEWER);
    const answers: string[] = [];
    for (const [name, password] of [
      ["Ada", "wrong horse battery"],
      ["nobody", PASSWORD],
      ["Bob", PASSWORD],
      ["Bob", "docent"],
      ["", PASSWORD],
    ] as const) {
      it.asked.length = 0;
      const { code, message } = await appErrorOf(() => it.signIn.byPassword({ name, password }, HERE));
      answers.push(`${code} ${message} ${it.asked.join()}`);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toStartWith("unauthorized ");
    expect(answers[0]).toEndWith(" verify");
  });

  test("over the limit a right password is refused as a wrong one is, before any work, and says when to come back", async () => {
    using it = await openMembers();
    await it.first();
    it.limit.retrySeconds = 77;
    it.asked.length = 0;
    for (const [name, password] of [
      ["Ada", PASSWORD],
      ["Ada", "wrong horse battery"],
      ["nobody", PASSWORD],
    ] as const) {
      const refused = await appErrorOf(() => it.signIn.byPassword({ name, password }, HERE));
      expect([refused.code, refused.retryAfterSeconds]).toEqual(["rate_limited", 77]);
    }
    expect(it.asked).toEqual([]);
  });

  test("what is counted is the name as it is compared, and never the name itself", async () => {
    using it = await openMembers();
    for (const name of ["Ada", " ADA", "hunter2hunter2"])
      await appErrorOf(() => it.signIn.byPassword({ name, password: PASSWORD }, HERE));
    const counted = it.attempts.flatMap((each) => (each.kind === "password" ? each : []));
    const [ada, again, other] = counted.map(({ nameHash }) => nameHash);
    expect(ada).toBe(again);
    expect(other).not.toBe(ada);
    expect(JSON.stringify(it.attempts)).not.toMatch(/ada|hunter/i);
    expect(counted.map(({ address }) => address)).toEqual(Array(3).fill(HERE.address));
  });

  test("a sign-in that was under way while the password was changed begins no session", async () => {
    using it = await openMembers();
    const secret = await it.first();
    const { member } = (await it.sessions.authenticate(secret)) ?? {};
    if (!member) throw new Error("nobody is signed in");
    const late = it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
    await it.storage.members.changePassword(member.id, `hash of ${PASSWORD}`, `hash of ${NEW}`);
    expect((await appErrorOf(() => late)).code).toBe("unauthorized");
    expect(await it.sessions.list(member.id)).toEqual([]);
  });
});

describe("links", () => {
  test("that work are never counted; of those that do not, each is, and too many wait", async () => {
    using it = await openMembers();
    const { link } = await it.members.invite("Bob", VIEWER);
    it.limit.retrySeconds = 5;
    expect(await it.signIn.look(link.text, HERE)).toMatchObject({ purpose: "invited" });
    for (const text of ["", "x", `${link.text.slice(0, -1)}x`, "z".repeat(33)])
      expect((await appErrorOf(() => it.signIn.look(text, HERE))).code).toBe("rate_limited");
    expect(it.attempts).toEqual(Array(4).fill({ kind: "link", address: HERE.address }));
    await it.signIn.byLink({ link: link.text, name: undefined, password: PASSWORD }, HERE);
    expect(it.attempts).toHaveLength(4);
  });

  test("the first one makes an owner of the server, by the name they choose", async () => {
    using it = await openMembers();
    const link = (await it.members.firstLink())?.text ?? "";
    expect(await it.signIn.look(link, HERE)).toEqual({ purpose: "first", name: undefined });
    const nameless = () => it.signIn.byLink({ link, name: undefined, password: PASSWORD }, HERE);
    expect((await appErrorOf(nameless)).code).toBe("invalid_request");
    const secret = await it.signIn.byLink({ link, name: "Ada", password: PASSWORD }, HERE);
    expect((await it.sessions.authenticate(secret))?.member).toMatchObject({
      name: "Ada",
      isServerOwner: true,
      isActive: true,
    });
    expect(await it.members.firstLink()).toBeUndefined();
  });

  test("each start gives another first link, and only the last one works", async () => {
    using it = await openMembers();
    const before = (await it.members.firstLink())?.text ?? "";
    const after = (await it.members.firstLink())?.text ?? "";
    expect((await appErrorOf(() => it.signIn.look(before, HERE))).code).toBe("not_found");
    expect((await it.signIn.look(after, HERE)).purpose).toBe("first");
  });

  test("a first link is worth nothing once somebody owns the server", async () => {
    using it = await openMembers();
    const link = (await it.members.firstLink())?.text ?? "";
    await it.members.invite("Ada", { serverOwner: true });
    expect((await appErrorOf(() => it.signIn.look(link, HERE))).code).toBe("not_found");
    const late = () => it.signIn.byLink({ link, name: "Eve", password: PASSWORD }, HERE);
    expect((await appErrorOf(late)).code).toBe("not_found");
    expect((await it.members.list()).map(({ name }) => name)).toEqual(["Ada"]);
  });

  test("an invited member chooses a password, and keeps the name that they were given", async () => {
    using it = await openMembers();
    const { link, member } = await it.members.invite("Bob", VIEWER);
    expect(await it.signIn.look(link.text, HERE)).toEqual({ purpose: "invited", name: "Bob" });
    const secret = await it.signIn.byLink({ link: link.text, name: "Eve", password: PASSWORD }, HERE);
    expect(await it.who(secret)).toBe("Bob");
    expect((await it.members.get(member.id)).roles).toEqual([VIEWER]);
  });

  test("a lost password is chosen anew: the old one and all sessions end", async () => {
    using it = await openMembers();
    const before = await it.first();
    const { id } = await it.members.named("ada");
    const { text } = await it.members.link(id);
    expect(await it.signIn.look(text, HERE)).toEqual({ purpose: "reset", name: "Ada" });
    expect(await it.who(before)).toBe("Ada");
    const after = await it.signIn.byLink({ link: text, name: undefined, password: NEW }, HERE);
    expect([await it.who(before), await it.who(after)]).toEqual([undefined, "Ada"]);
    const old = () => it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
    expect((await appErrorOf(old)).code).toBe("unauthorized");
  });

  test("of two who use one link at the same time, one is let in, and it is used up", async () => {
    using it = await openMembers();
    const link = (await it.members.firstLink())?.text ?? "";
    const ends = await Promise.allSettled(
      ["Ada", "Eve"].map((name) => it.signIn.byLink({ link, name, password: PASSWORD }, HERE)),
    );
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await it.members.list()).map(({ name }) => name)).toEqual(["Ada"]);
    const { link: invited } = await it.members.invite("Bob", VIEWER);
    const use = () => it.signIn.byLink({ link: invited.text, name: undefined, password: NEW }, HERE);
    const uses = await Promise.allSettled([use(), use(), use()]);
    expect(uses.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("one that is unknown, malformed, used, replaced or too old gives one answer, and costs no hash", async () => {
    using it = await openMembers();
    await it.first();
    const used = await it.members.invite("Bob", VIEWER);
    await it.signIn.byLink({ link: used.link.text, name: undefined, password: PASSWORD }, HERE);
    const replaced = await it.members.link(used.member.id);
    const old = await it.members.link(used.member.id);
    it.advance(LINK_MS);
    it.asked.length = 0;
    const answers = new Set<string>();
    for (const link of ["", "x", `${old.text.slice(0, -1)}2`, used.link.text, replaced.text, old.text, "%"]) {
      const by = await appErrorOf(() => it.signIn.byLink({ link, name: "Eve", password: PASSWORD }, HERE));
      const look = await appErrorOf(() => it.signIn.look(link, HERE));
      for (const { code, message } of [by, look]) answers.add(`${code} ${message}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^not_found This link does not work any more/)]);
    expect(it.asked).toEqual([]);
  });

  test("nothing stored holds a link, a session's secret or a password", async () => {
    using it = await openMembers();
    const { text } = (await it.members.firstLink()) ?? { text: "" };
    const rows = () =>
      JSON.stringify(
        ["members", "member_links", "member_sessions"].map((table) =>
          it.storage.database.query(`SELECT * FROM ${table}`).all(),
        ),
      );
    expect(text).toHaveLength(33);
    expect(rows()).not.toContain(text);
    const secret = await it.signIn.byLink({ link: text, name: "Ada", password: PASSWORD }, HERE);
    expect(rows()).not.toContain(secret.slice("docent_ses_".length));
  });
});

describe("a browser in which a name signed in before", () => {
  const tries = async (it: Awaited<ReturnType<typeof openMembers>>, name: string, devices: string[]) => {
    it.attempts.length = 0;
    await appErrorOf(() => it.signIn.byPassword({ name, password: "wrong" }, { ...HERE, devices }));
    const [attempt] = it.attempts;
    return attempt?.kind === "password" ? attempt.deviceId : "none";
  };

  test("is known again for that name, however it is written, and for no other one", async () => {
    using it = await openMembers();
    const devices = it.devices.remember("Zoë", []);
    const id = await tries(it, "Zoë", devices);
    expect(id).toBeString();
    expect(await tries(it, " ZOE\u0308 ", devices)).toBe(id);
    expect(await tries(it, "Ada", devices)).toBeUndefined();
  });

  test("stays the same one when it signs in again, beside others who share it", async () => {
    using it = await openMembers();
    const ada = it.devices.remember("Ada", []);
    const both = it.devices.remember("Bob", ada);
    const again = it.devices.remember("Ada", both);
    expect(await tries(it, "Ada", again)).toBe(await tries(it, "Ada", ada));
    expect(await tries(it, "Bob", again)).toBe(await tries(it, "Bob", both));
    const crowd = Array.from({ length: 9 }, (_, at) => `m${at}`).reduce(
      (tokens, name) => it.devices.remember(name, tokens),
      again,
    );
    expect(crowd).toHaveLength(5);
  });

  test("is not believed for a token that was made up, changed, or is a year old", async () => {
    using it = await openMembers();
    const [token = ""] = it.devices.remember("Ada", []);
    const [id = "", until = "", signature = ""] = token.split(".");
    for (const made of [
      "",
      "..",
      "a.b.c",
      `x${token}`,
      `${id}.${Number(until) + 1}.${signature}`,
      `${token}x`,
    ])
      expect(await tries(it, "Ada", [made])).toBeUndefined();
    expect(await tries(it, "Ada", [token])).toBe(id);
    it.advance(366 * 86_400_000);
    expect(await tries(it, "Ada", [token])).toBeUndefined();
  });

  test("gets no further with a wrong password", async () => {
    using it = await openMembers();
    await it.first();
    const devices = it.devices.remember("Ada", []);
    const wrong = () => it.signIn.byPassword({ name: "Ada", password: "wrong" }, { ...HERE, devices });
    expect((await appErrorOf(wrong)).code).toBe("unauthorized");
  });
});

describe("changing the password", () => {
  async function opened() {
    const it = await openMembers();
    const before = await it.first();
    const other = await it.signIn.byPassword({ name: "Ada", password: PASSWORD }, HERE);
    const signedIn = await it.sessions.authenticate(before);
    if (!signedIn) throw new Error("nobody is signed in");
    return { ...it, before, other, signedIn, [Symbol.dispose]: it[Symbol.dispose] };
  }

  test("ends every session, and begins a new one", async () => {
    using it = await opened();
    const sent = { current: PASSWORD, password: NEW };
    const after = await it.signIn.changePassword(it.signedIn, sent, HERE);
    expect([await it.who(it.before), await it.who(it.other), await it.who(after)]).toEqual([
      undefined,
      undefined,
      "Ada",
    ]);
    await it.signIn.byPassword({ name: "Ada", password: NEW }, HERE);
  });

  test("needs the present one, and tries are counted for the session alone: others cannot keep a member from it", async () => {
    using it = await opened();
    it.attempts.length = 0;
    const wrong = () => it.signIn.changePassword(it.signedIn, { current: "wrong", password: NEW }, HERE);
    expect(await appErrorOf(wrong)).toMatchObject({
      code: "invalid_request",
      details: [{ path: "current" }],
    });
    expect(it.attempts).toEqual([{ kind: "session", sessionId: String(it.signedIn.session?.id) }]);
    expect(await it.who(it.before)).toBe("Ada");
    it.limit.retrySeconds = 5;
    const right = () => it.signIn.changePassword(it.signedIn, { current: PASSWORD, password: NEW }, HERE);
    expect((await appErrorOf(right)).code).toBe("rate_limited");
  });

  test("of two at the same time, one is done", async () => {
    using it = await opened();
    const change = (password: string) =>
      it.signIn.changePassword(it.signedIn, { current: PASSWORD, password }, HERE);
    const ends = await Promise.allSettled([change("first new password"), change("second new password")]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
