import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cookieOf, type MemberDoor, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const yaml = (from: string) => `
proxy:
  from: ["${from}"]
  user_header: x-forwarded-user
  name_header: x-forwarded-preferred-username
  groups_header: x-forwarded-groups
  logout_url: https://proxy.example.com/oauth2/sign_out
  members:
    server_owners: [admins]
    viewers: { default: [staff] }
`;
const ADA = {
  "x-forwarded-user": "ada@example.com",
  "x-forwarded-preferred-username": "Ada",
  "x-forwarded-groups": "staff,cooks",
};

const folder = temporaryDirectory();
async function open(from: string): Promise<MemberDoor> {
  const file = join(folder.path, `${from.replaceAll("/", "-")}.yml`);
  await Bun.write(file, yaml(from));
  return startMemberDoor({ docs: null, settings: { sign_in_file: file } });
}

let door: MemberDoor;
beforeAll(async () => {
  door = await open("127.0.0.1");
});
afterAll(async () => {
  await door.close();
  folder[Symbol.dispose]();
});

const session = (headers: Record<string, string | null>) => door.send("GET", "/v1/session", { headers });
const entries = async () => {
  const reply = await door.send("GET", "/v1/admin/audit", { as: "root" });
  return Object(JSON.parse(reply.text)).entries.map((each: { kind: string; subject: { name: string } }) => [
    each.kind,
    each.subject.name,
  ]);
};

describe("a proxy that signs members in", () => {
  test("says with each request who it is, and without it nobody is signed in", async () => {
    const { status, json } = await session(ADA);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      member: { name: "Ada", provider: "proxy", isServerOwner: false },
      organizations: [{ name: "default", role: "viewer" }],
    });
    expect((await session({})).status).toBe(401);
  });

  test("a visit is one entry of the audit log, however many requests it has", async () => {
    const before = (await entries()).filter(([kind]: string[]) => kind === "member.signed-in").length;
    const bob = { ...ADA, "x-forwarded-user": "bob", "x-forwarded-preferred-username": "Bob" };
    for (let index = 0; index < 5; index++) await session(bob);
    const all = await entries();
    expect(all.filter(([kind]: string[]) => kind === "member.signed-in").length).toBe(before + 1);
    // Of the same millisecond, either may be first.
    expect(all.slice(0, 2).toSorted()).toEqual([
      ["member.role-changed", "Bob"],
      ["member.signed-in", "Bob"],
    ]);
  });

  test("other groups make them something else at once, and none makes them nothing, in words", async () => {
    const asOwner = await session({ ...ADA, "x-forwarded-groups": "admins" });
    expect(asOwner.json).toMatchObject({ member: { name: "Ada", isServerOwner: true } });
    const asNothing = await session({ ...ADA, "x-forwarded-groups": "cooks" });
    expect([asNothing.status, asNothing.text]).toEqual([403, expect.stringContaining("none of your groups")]);
    expect((await session(ADA)).status).toBe(200);
  });

  test("opens the admin routes with the rights of the member", async () => {
    expect((await door.send("GET", "/v1/admin/sites", { headers: ADA })).status).toBe(200);
    const body = { domain: "new" };
    const write = { headers: ADA, body };
    expect((await door.send("POST", "/v1/admin/sites", write)).status).toBe(403);
    const asOwner = { headers: { ...ADA, "x-forwarded-groups": "admins" }, body };
    expect((await door.send("POST", "/v1/admin/sites", asOwner)).status).toBe(201);
  });

  test("a page of another site makes the browser do nothing: the proxy adds its headers to that as well (CSRF)", async () => {
    const owner = { ...ADA, "x-forwarded-groups": "admins" };
    const body = { domain: "evil" };
    for (const more of [
      { "sec-fetch-site": "cross-site", origin: null },
      { "sec-fetch-site": null, origin: null },
      { origin: "https://evil.example" },
    ]) {
      const reply = await door.send("POST", "/v1/admin/sites", { headers: { ...owner, ...more }, body });
      expect(reply.status).toBe(403);
    }
    const read = { ...owner, origin: null, "sec-fetch-site": "cross-site" };
    expect((await door.send("GET", "/v1/session", { headers: read })).status).toBe(403);
    expect((await door.send("DELETE", "/v1/session", { headers: { ...owner, origin: null } })).status).toBe(
      403,
    );
  });

  test("signing out leads to the proxy's own address, and there is no password to change", async () => {
    const out = await door.send("DELETE", "/v1/session", { headers: ADA });
    expect([out.status, out.json]).toEqual([200, { logoutUrl: "https://proxy.example.com/oauth2/sign_out" }]);
    const body = { current: PASSWORD, password: "another good password" };
    expect((await door.send("PUT", "/v1/session/password", { headers: ADA, body })).status).toBe(409);
    expect((await door.send("GET", "/v1/session/sessions", { headers: ADA })).text).toBe("[]");
  });

  test("a key that is sent on purpose comes first", async () => {
    const headers = { ...ADA, authorization: "Bearer docent_adm_wrong" };
    expect((await door.send("GET", "/v1/admin/sites", { headers })).status).toBe(401);
  });

  test("a member who has that name and a password is not taken over", async () => {
    const root = { ...ADA, "x-forwarded-user": "root", "x-forwarded-preferred-username": "root" };
    expect((await session(root)).json).toMatchObject({
      member: { name: "root (proxy)", isServerOwner: false },
    });
  });
});

test("the same headers of a stranger say nothing, and a session goes on beside them", async () => {
  const other = await open("10.0.0.7");
  const forged = { ...ADA, "x-forwarded-groups": "admins", "x-forwarded-for": "10.0.0.7" };
  expect((await other.send("GET", "/v1/session", { headers: forged })).status).toBe(401);
  expect((await other.send("GET", "/v1/admin/sites", { headers: forged })).status).toBe(401);
  const reply = await other.send("POST", "/v1/session", {
    body: { name: "viewer", password: PASSWORD },
    headers: forged,
  });
  const mine = await other.send("GET", "/v1/session", {
    headers: { ...forged, cookie: cookieOf(reply.headers) },
  });
  expect(mine.json).toMatchObject({ member: { name: "viewer" } });
  expect(other.logged.filter((line) => line.includes("proxy.from")).length).toBe(1);
  await other.close();
});
