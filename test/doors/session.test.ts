import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { startDocent } from "../helpers/docent.ts";
import { cookieOf, type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";

let door: MemberDoor;
beforeAll(async () => {
  door = await startMemberDoor({ docs: null });
});
afterAll(() => door.close());

const session = (cookie: string) => door.send("GET", "/v1/session", { headers: { cookie } });
const listed = async (cookie: string): Promise<Record<string, unknown>[]> =>
  JSON.parse((await door.send("GET", "/v1/session/sessions", { headers: { cookie } })).text);

describe("signing in", () => {
  test("tells who it is and what is open to them: an owner of the server, every organization", async () => {
    expect((await door.send("GET", "/v1/session", { as: "root" })).json).toEqual({
      member: { id: door.ids.root, name: "root", isServerOwner: true, provider: null },
      organizations: [
        { id: door.organizations.own, name: "default", role: "owner" },
        { id: door.organizations.other, name: "other", role: "owner" },
      ],
      version: manifest.version,
      publicUrl: door.url,
    });
  });

  test("a member is told of their organizations, and of no other", async () => {
    const reply = await door.send("POST", "/v1/session", { body: { name: "Viewer", password: PASSWORD } });
    expect([reply.status, reply.json["organizations"]]).toEqual([
      200,
      [{ id: door.organizations.own, name: "default", role: "viewer" }],
    ]);
    expect(reply.text).not.toContain("other");
  });

  test("a program may sign in too: without an origin", async () => {
    const reply = await fetch(`${door.url}/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "owner", password: PASSWORD }),
    });
    expect(reply.status).toBe(200);
  });

  test("a wrong password, an unknown name and one that was only invited are one answer", async () => {
    await door.app.parts.people.members.invite("Invited", { serverOwner: true });
    const answers = await Promise.all(
      ["owner", "nobody", "Invited"].map(async (name) => {
        const { status, text, headers } = await door.send("POST", "/v1/session", {
          body: { name, password: "not the password" },
        });
        return [status, text.replace(/"requestId":"\w+"/, ""), headers.get("set-cookie")];
      }),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(answers[0]?.[0]).toBe(401);
    expect(answers[0]?.[2]).toBeNull();
  });

  test.each([
    [400, { name: "owner" }],
    [400, { name: "owner", password: "" }],
    [400, { name: "owner", password: "x".repeat(1001) }],
    [400, { name: "owner", password: PASSWORD, more: 1 }],
    [400, { name: 7, password: PASSWORD }],
    [400, "{"],
    [413, { name: "owner", password: "x".repeat(30_000) }],
  ])("what is no sign-in is refused with %d: %j", async (status, body) => {
    const reply = await door.send("POST", "/v1/session", { body });
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([status, null]);
  });
});

describe("signing out", () => {
  test("ends the session, and takes the cookie away", async () => {
    const cookie = await door.signIn("viewer");
    const reply = await door.send("DELETE", "/v1/session", { headers: { cookie } });
    expect([reply.status, reply.text]).toEqual([204, ""]);
    expect(reply.headers.get("set-cookie")).toBe(
      "docent_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    );
    expect((await session(cookie)).status).toBe(401);
    expect((await door.send("DELETE", "/v1/session", { headers: { cookie } })).status).toBe(401);
  });
});

describe("links", () => {
  test("an invitation says for whom it is, lets them choose a password once, and signs them in", async () => {
    const invited = await door.send("POST", "/v1/admin/members", {
      as: "root",
      body: { name: "Grace", organization: "default", role: "viewer" },
    });
    expect(invited.status).toBe(201);
    const { link, expiresAt } = invited.json;
    expect(Date.parse(String(expiresAt))).toBeGreaterThan(Date.now());
    expect(String(link)).toStartWith(`${door.url}/sign-in#link=`);
    const text = new URLSearchParams(new URL(String(link)).hash.slice(1)).get("link");
    const look = await door.send("POST", "/v1/session/link", { body: { link: text } });
    expect(look.json).toEqual({ purpose: "invited", name: "Grace" });
    const use = () => door.send("PUT", "/v1/session/link", { body: { link: text, password: PASSWORD } });
    const used = await use();
    expect(used.json["member"]).toMatchObject({ name: "Grace", isServerOwner: false });
    expect((await session(cookieOf(used.headers))).status).toBe(200);
    expect((await use()).status).toBe(404);
    expect((await door.send("POST", "/v1/session/link", { body: { link: text } })).status).toBe(404);
  });

  test("a password that is too short leaves the link as it was", async () => {
    const { link } = await door.app.parts.people.members.invite("Short", { serverOwner: true });
    const choose = (password: string) =>
      door.send("PUT", "/v1/session/link", { body: { link: link.text, password } });
    const refused = await choose("too short");
    expect([refused.status, refused.json["details"]]).toEqual([
      400,
      [{ path: "password", message: expect.stringContaining("at least 10 characters") }],
    ]);
    expect((await choose("long enough")).status).toBe(200);
  });

  test("of two who use one link at the same time, one is let in", async () => {
    const { link } = await door.app.parts.people.members.invite("Raced", { serverOwner: true });
    const replies = await Promise.all(
      ["the first password", "the second password", "the third password"].map((password) =>
        door.send("PUT", "/v1/session/link", { body: { link: link.text, password } }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(replies.filter(({ headers }) => headers.has("set-cookie"))).toHaveLength(1);
  });
});

describe("the password and the sessions", () => {
  test("a change ends all other sessions, and goes on in a new one", async () => {
    await door.app.parts.people.members
      .invite("Changer", { serverOwner: true })
      .then(({ link }) =>
        door.send("PUT", "/v1/session/link", { body: { link: link.text, password: PASSWORD } }),
      );
    const [here, elsewhere] = [await door.signIn("Changer"), await door.signIn("Changer")];
    const change = (body: unknown) =>
      door.send("PUT", "/v1/session/password", { headers: { cookie: here }, body });
    const wrong = await change({ current: "not it at all", password: "a whole new one" });
    expect([wrong.status, wrong.json["details"]]).toEqual([
      400,
      [{ path: "current", message: "This is not your present password." }],
    ]);
    const changed = await change({ current: PASSWORD, password: "a whole new one" });
    expect(changed.status).toBe(204);
    const after = cookieOf(changed.headers);
    expect(
      await Promise.all([here, elsewhere, after].map(async (each) => (await session(each)).status)),
    ).toEqual([401, 401, 200]);
    await door.signIn("Changer", "a whole new one");
  });

  test("sessions are listed and ended, one's own alone", async () => {
    const [here, there] = [await door.signIn("both"), await door.signIn("both")];
    const all = await listed(here);
    expect(all.length).toBe(3);
    expect(Object.keys(all[0] ?? {}).sort()).toEqual([
      "address",
      "agent",
      "createdAt",
      "id",
      "isCurrent",
      "lastUsedAt",
    ]);
    const current = all.filter(({ isCurrent }) => isCurrent === true);
    expect(current).toMatchObject([{ address: "127.0.0.1", agent: expect.any(String) }]);
    const other = (await listed(there)).find(({ isCurrent }) => isCurrent === true)?.["id"];
    const end = (cookie: string) =>
      door.send("DELETE", `/v1/session/sessions/${other}`, { headers: { cookie } });
    expect((await end(door.cookies.root)).status).toBe(404);
    expect((await session(there)).status).toBe(200);
    const ended = await end(here);
    expect([ended.status, ended.headers.get("set-cookie")]).toEqual([204, null]);
    expect((await session(there)).status).toBe(401);
    expect((await end(here)).status).toBe(404);
    const own = await door.send("DELETE", `/v1/session/sessions/${current[0]?.["id"]}`, {
      headers: { cookie: here },
    });
    expect(own.headers.get("set-cookie")).toStartWith("docent_session=; Max-Age=0");
  });

  test("a member who is removed is signed out at once", async () => {
    const { link, member } = await door.app.parts.people.members.invite("Gone", { serverOwner: true });
    const reply = await door.send("PUT", "/v1/session/link", {
      body: { link: link.text, password: PASSWORD },
    });
    const cookie = cookieOf(reply.headers);
    expect((await door.send("GET", "/v1/admin/sites", { headers: { cookie } })).status).toBe(200);
    expect((await door.send("DELETE", `/v1/admin/members/${member.id}`, { as: "root" })).status).toBe(204);
    expect((await door.send("GET", "/v1/admin/sites", { headers: { cookie } })).status).toBe(401);
    expect((await session(cookie)).status).toBe(401);
  });
});

test("a session outlives a restart of the server, and a link does too", async () => {
  const first = await startDocent({ docs: null, data: `${door.data}/restarted` });
  const { link } = await first.app.parts.people.members.invite("Ada", { serverOwner: true });
  await first.close();
  const second = await startDocent({ docs: null, data: `${door.data}/restarted` });
  const put = await fetch(`${second.url}/v1/session/link`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link: link.text, password: PASSWORD }),
  });
  const cookie = cookieOf(put.headers);
  await second.close();
  const third = await startDocent({ docs: null, data: `${door.data}/restarted` });
  expect((await fetch(`${third.url}/v1/session`, { headers: { cookie } })).status).toBe(200);
  await third.close();
});
