import { describe, expect, test } from "bun:test";
import { createLog } from "../../../src/kernel/lib/log.ts";
import type { MemberRules } from "../../../src/people/identity/identity.ts";
import { createArrivals } from "../../../src/people/members/arrivals.ts";
import { openMembers } from "../../helpers/open-members.ts";
import { ORGANIZATION } from "../../helpers/site-data.ts";
import { testIds } from "../../helpers/test-ids.ts";

const RULES: MemberRules = {
  server_owners: ["admins"],
  owners: { [ORGANIZATION.name]: ["writers"] },
  viewers: { [ORGANIZATION.id]: ["staff"], gone: ["staff"] },
};
const ISSUER = "https://id.example.com";

async function opened(emergency_member = "") {
  const it = await openMembers();
  const logged: string[] = [];
  const { clock } = it;
  const write = (line: string) => logged.push(line);
  const arrivals = createArrivals({
    settings: { emergency_member },
    store: it.storage.members,
    listOrganizations: () => it.storage.sites.listOrganizations(),
    clock,
    ids: testIds(clock),
    log: createLog({ level: "info", format: "json", clock, write }),
  });
  const bring = (
    groups: string[],
    { name = "Ada", subject = "ada", how = "bring" as "bring" | "meet" } = {},
  ) => arrivals[how]({ issuer: ISSUER, subject, name, groups }, { provider: "company", rules: RULES });
  return { ...it, bring, logged };
}

const role = (role: string) => ({ organizationId: ORGANIZATION.id, role });

describe("somebody for whom a provider vouches", () => {
  test("is what their groups say, the most of it, in organizations by name or id", async () => {
    using it = await opened();
    const { member, changes } = await it.bring(["staff", "writers"]);
    expect(member).toMatchObject({ name: "Ada", roles: [role("owner")], isServerOwner: false });
    expect(changes).toEqual([{ organizationId: ORGANIZATION.id, role: "owner" }]);
  });

  test("tells what changed, and nothing where nothing did", async () => {
    using it = await opened();
    await it.first("Root");
    await it.bring(["staff", "admins"]);
    expect((await it.bring(["staff", "admins"])).changes).toEqual([]);
    expect((await it.bring(["writers"])).changes).toEqual([
      { organizationId: undefined, role: "none" },
      { organizationId: ORGANIZATION.id, role: "owner" },
    ]);
    const { member, known, changes } = await it.bring([]);
    expect([member, known?.name, changes]).toEqual([
      undefined,
      "Ada",
      [{ organizationId: ORGANIZATION.id, role: "none" }],
    ]);
  });

  test("is nobody without a group that is named, whatever else they belong to", async () => {
    using it = await opened();
    for (const groups of [[], ["Admins"], ["admins "], ["admin"], ["__proto__"]])
      expect(await it.bring(groups)).toEqual({ member: undefined, known: undefined, changes: [] });
  });

  test("of each request anew, changes only what has changed", async () => {
    using it = await opened();
    const { member } = await it.bring(["staff"], { how: "meet" });
    const again = await it.bring(["staff"], { how: "meet" });
    expect([again.member?.id, again.changes]).toEqual([String(member?.id), []]);
    expect((await it.bring(["writers"], { how: "meet" })).changes).toHaveLength(1);
  });

  test("has a name of one line, whatever the provider calls them, or the subject's", async () => {
    using it = await opened();
    const names = new Map([
      ["  Zoë\u0301 ", "Zo\u00eb\u0301"],
      ["x".repeat(200), "x".repeat(50)],
      ["a\nb", "s2"],
      ["\u202eevil", "s3"],
      ["", "s4"],
    ]);
    let index = 0;
    for (const [name, expected] of names) {
      const { member } = await it.bring(["staff"], { name, subject: `s${index++}` });
      expect(member?.name).toBe(expected.normalize("NFC"));
    }
  });

  test("never has the name of the member who is kept for emergencies, also while there is none", async () => {
    using it = await opened("Root");
    expect((await it.bring(["staff"], { name: "ROOT" })).member?.name).toBe("ROOT (company)");
  });

  test("who is the last owner stays one, and the log says so once", async () => {
    using it = await opened();
    await it.bring(["admins"]);
    for (const how of ["bring", "meet", "meet"] as const)
      expect((await it.bring([], { how })).member?.isServerOwner).toBe(true);
    expect(it.logged.filter((line) => line.includes("the last owner of the server"))).toHaveLength(1);
  });
});
