import { expect, test } from "bun:test";
import { seededRandom } from "../../src/measuring/eval/seeded-random.ts";
import { type MemberName, PASSWORD, startMemberDoor } from "../helpers/member-door.ts";

// Requests that are almost right, by members of every kind and by strangers. Whatever is wrong with them: an answer, or an
// error that is the sender's; never a fault of ours, and never more rights than there were.

const REQUESTS = 1200;
const AT_ONCE = 8;
const random = seededRandom(20261121);
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

const VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  "",
  " ",
  "root",
  "ROOT ",
  "viewer",
  "owner",
  "default",
  "other",
  "nowhere",
  "\u0000",
  "\ud800",
  "a\nb",
  "x".repeat(5000),
  "%",
  "' OR 1=1 --",
  "$argon2id$v=19$m=8,t=1,p=1$x$y",
  "__proto__",
  [],
  {},
  [[]],
  ["owner"],
  { $ne: 1 },
  "docent_ses_",
  "docent_adm_",
];
const RIGHT: [method: string, path: string, body: Record<string, unknown> | undefined][] = [
  ["POST", "/v1/session", { name: "nobody", password: "wrong password" }],
  ["POST", "/v1/session/link", { link: "3mJr7AoUXx2Wqd7hGkPzT4sNbVcYe9RfL" }],
  ["PUT", "/v1/session/link", { link: "3mJr7AoUXx2Wqd7hGkPzT4sNbVcYe9RfL", name: "Eve", password: PASSWORD }],
  ["PUT", "/v1/session/password", { current: "wrong password", password: "another password" }],
  ["GET", "/v1/session/sessions", undefined],
  ["DELETE", "/v1/session/sessions/@", undefined],
  ["GET", "/v1/admin/members", undefined],
  ["POST", "/v1/admin/members", { name: "@", organization: "default", role: "viewer" }],
  ["POST", "/v1/admin/members", { name: "@", serverOwner: true }],
  ["PATCH", "/v1/admin/members/@", { organization: "default", role: "owner" }],
  ["PATCH", "/v1/admin/members/@", { serverOwner: true }],
  ["DELETE", "/v1/admin/members/@", undefined],
  ["POST", "/v1/admin/members/@/link", undefined],
];

function changed(body: Record<string, unknown>): Record<string, unknown> {
  if (random() < 0.4) return body;
  const names = [
    ...Object.keys(body),
    "role",
    "serverOwner",
    "organization",
    "isServerOwner",
    "id",
    "__proto__",
  ];
  return Object.fromEntries([...Object.entries(body), [pick(names) ?? "", pick(VALUES)]]);
}

test(`${REQUESTS} requests that are almost right bring nothing down, and nobody any right`, async () => {
  const door = await startMemberDoor({
    docs: null,
    settings: { address_sign_ins_per_hour: "0", name_sign_ins_per_hour: "0" },
  });
  try {
    const seen = new Map<number, number>();
    const who: (MemberName | undefined)[] = ["owner", "viewer", "both", "foreign", undefined];
    const known = new Set(Object.values(door.ids));
    const parts = [...known, "none", "..", "%00", "%zz", "x".repeat(300), "💥", "'"];

    async function askAnything(index: number): Promise<void> {
      const [method = "", path = "", right] = pick(RIGHT) ?? [];
      // Nobody who asks is taken away, or what is left to try would be nothing.
      const id = method === "DELETE" ? "none" : (pick(parts) ?? "");
      const body =
        right === undefined ? undefined : JSON.stringify(changed(right)).replace('"@"', `"n${index}"`);
      const as = pick(who);
      const reply = await door.send(method, path.replace("@", id), {
        as,
        body: body ?? (random() < 0.1 && method !== "GET" ? "{" : undefined),
      });
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      const shown = `${as} ${method} ${path} ${body} → ${reply.status} ${reply.text}`;
      if (reply.status >= 500) throw new Error(shown);
      if (reply.status >= 400) expect(reply.json, shown).toMatchObject({ code: expect.any(String) });
      for (const inner of ["at /", "TypeError", "SQLITE", "node_modules", "src/", "argon2"])
        if (reply.text.includes(inner) && !body?.includes(inner)) throw new Error(shown);
    }

    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => askAnything(sent + index)));
    for (const status of [200, 201, 400, 401, 403, 404])
      expect(seen.get(status) ?? 0, `${status} of ${JSON.stringify([...seen])}`).toBeGreaterThan(10);

    const members = await door.app.parts.people.members.list();
    expect(members.filter(({ isServerOwner }) => isServerOwner).map(({ name }) => name)).toEqual(["root"]);
    const { own, other } = door.organizations;
    const viewer = members.find(({ name }) => name === "viewer");
    expect(viewer?.roles.some(({ organizationId }) => organizationId === other)).toBe(false);
    const foreign = members.find(({ name }) => name === "foreign");
    expect(foreign?.roles.some(({ organizationId }) => organizationId === own)).toBe(false);
    expect((await door.send("GET", "/v1/session", { as: "root" })).status).toBe(200);
  } finally {
    await door.close();
  }
});
