import { describe, expect, test } from "bun:test";
import { memberNameSchema, nameKeyOf } from "../../../src/people/members/member.ts";
import { HERE, openMembers, PASSWORD } from "../../helpers/open-members.ts";
import { appErrorOf } from "../../helpers/rejection.ts";
import { ORGANIZATION } from "../../helpers/site-data.ts";

const VIEWER = { organizationId: ORGANIZATION.id, role: "viewer" } as const;

describe("names", () => {
  test.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["  Zoe\u0308 ", "Zoë"],
    ["x".repeat(100), "x".repeat(100)],
    ["👩".repeat(100), "👩".repeat(100)],
    ["田中 花子", "田中 花子"],
    ["<b>Ada</b>", "<b>Ada</b>"],
  ])("%j may be one", (given, stored) => {
    expect(memberNameSchema.parse(given)).toBe(stored);
  });

  test.each([
    "",
    "   ",
    "x".repeat(101),
    "a\nb",
    "a\u0000b",
    "a\u2028b",
    "\u202eada",
    "a\u200bda",
    "\ud800",
    7,
    null,
  ])("%j may be none", (given) => {
    expect(memberNameSchema.safeParse(given).success).toBe(false);
  });

  test("letters in another case, or written otherwise, make no other name", () => {
    expect(new Set(["Ada", "ADA", " ada ", "Ａｄａ"].map(nameKeyOf)).size).toBe(1);
    expect(nameKeyOf("Ada L")).not.toBe(nameKeyOf("AdaL"));
  });
});

describe("members", () => {
  test("two cannot have one name", async () => {
    using it = await openMembers();
    await it.members.invite("Bob", VIEWER);
    expect((await appErrorOf(() => it.members.invite("bob", VIEWER))).code).toBe("conflict");
    expect((await appErrorOf(() => it.members.invite("a\nb", VIEWER))).message).toBe(
      "A member's name must be one line, without characters that nobody sees.",
    );
  });

  test("nobody is left with nothing: the last role is not taken away from who is no owner of the server", async () => {
    using it = await openMembers();
    const { member } = await it.members.invite("Bob", VIEWER);
    const take = () => it.members.setRole(member.id, ORGANIZATION.id, undefined);
    expect((await appErrorOf(take)).code).toBe("conflict");
    expect((await it.members.setServerOwner(member.id, true)).isServerOwner).toBe(true);
    expect((await take()).roles).toEqual([]);
    expect((await appErrorOf(() => it.members.setServerOwner(member.id, false))).code).toBe("conflict");
    await it.members.setRole(member.id, ORGANIZATION.id, "owner");
    expect(await it.members.setServerOwner(member.id, false)).toMatchObject({
      isServerOwner: false,
      roles: [{ ...VIEWER, role: "owner" }],
    });
  });

  test("the only owner of the server who can sign in is neither removed nor made less", async () => {
    using it = await openMembers();
    await it.first();
    const ada = await it.members.named("Ada");
    await it.members.setRole(ada.id, ORGANIZATION.id, "owner");
    const bob = await it.members.invite("Bob", { serverOwner: true });
    for (const work of [() => it.members.remove(ada.id), () => it.members.setServerOwner(ada.id, false)])
      expect((await appErrorOf(work)).code).toBe("conflict");
    await it.signIn.byLink({ link: bob.link.text, name: undefined, password: PASSWORD }, HERE);
    await it.members.remove(ada.id);
    expect((await it.members.list()).map(({ name }) => name)).toEqual(["Bob"]);
  });

  test("one is found by id before name, and what is not there says where to look", async () => {
    using it = await openMembers();
    const { member } = await it.members.invite("Bob", VIEWER);
    await it.members.invite(member.id, VIEWER);
    expect((await it.members.named(member.id)).name).toBe("Bob");
    expect(await appErrorOf(() => it.members.named("Eve"))).toMatchObject({
      code: "not_found",
      hint: "docent members list",
    });
  });
});
