import { describe, expect, test } from "bun:test";
import { nameKeyOf } from "../../src/people/members/member.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import {
  addActive,
  COMPANY,
  newArrival,
  newLink,
  newMember,
  newSession,
  passwordOf,
} from "../helpers/member-data.ts";
import { appErrorOf } from "../helpers/rejection.ts";
import { addSite, ORGANIZATION } from "../helpers/site-data.ts";
import type { OpenStores } from "./stores.ts";

const OTHER = { id: "org-2", name: "Other", createdAt: TEST_TIME };

/** What every MemberStore guarantees. */
export function describeMemberStore(
  name: string,
  open: OpenStores<"members" | "sessions" | "sites">,
  { isShared = false } = {},
): void {
  async function opened() {
    const stores = await open();
    await addSite(stores.sites);
    await stores.sites.addOrganization(OTHER);
    return stores;
  }
  const owner = (id: string) => newMember(id, { isServerOwner: true });

  describe(`member store: ${name}`, () => {
    test("a member is found as they were added, by id and by name", async () => {
      using stores = await opened();
      const ada = newMember("1", {
        name: "Ada",
        roles: [
          { organizationId: ORGANIZATION.id, role: "owner" },
          { organizationId: OTHER.id, role: "viewer" },
        ],
      });
      await stores.members.add(ada, "ada");
      expect(await stores.members.find("1")).toEqual(ada);
      expect(await stores.members.findCredentials("ada")).toEqual({ member: ada, passwordHash: undefined });
      expect(await stores.members.list()).toEqual([ada]);
      for (const wrong of ["", "Ada", "ada ", "%", "2"]) {
        expect(await stores.members.find(wrong)).toBeUndefined();
        expect(await stores.members.findCredentials(wrong)).toBeUndefined();
      }
    });

    test("a name is taken once, and whoever comes second leaves nothing behind", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1", { name: "Ada" }), "ada");
      const second = newMember("2", {
        name: "ADA",
        roles: [{ organizationId: ORGANIZATION.id, role: "owner" }],
      });
      expect((await appErrorOf(() => stores.members.add(second, "ada"))).code).toBe("conflict");
      expect((await stores.members.list()).map(({ id }) => id)).toEqual(["1"]);
    });

    test("a member with a role in an organization that there is not is not added", async () => {
      using stores = await opened();
      const lost = newMember("1", { roles: [{ organizationId: "nowhere", role: "viewer" }] });
      await expect(stores.members.add(lost, "lost")).rejects.toThrow();
      expect(await stores.members.list()).toEqual([]);
    });

    test("a role is given, changed and taken away, in that organization alone", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1"), "one");
      const roles = async () => (await stores.members.find("1"))?.roles;
      await stores.members.giveRole("1", ORGANIZATION.id, "viewer");
      await stores.members.giveRole("1", OTHER.id, "viewer");
      await stores.members.giveRole("1", ORGANIZATION.id, "owner");
      await stores.members.giveRole("nobody", ORGANIZATION.id, "owner");
      expect(await roles()).toEqual([
        { organizationId: ORGANIZATION.id, role: "owner" },
        { organizationId: OTHER.id, role: "viewer" },
      ]);
      expect(await stores.members.takeRole("1", ORGANIZATION.id)).toBe("done");
      expect(await stores.members.takeRole("nobody", ORGANIZATION.id)).toBe("missing");
      expect(await roles()).toEqual([{ organizationId: OTHER.id, role: "viewer" }]);
    });

    test("nobody is left with nothing, also by two who take away at the same time", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1"), "one");
      for (const { id } of [ORGANIZATION, OTHER]) await stores.members.giveRole("1", id, "viewer");
      const ends = await Promise.all([ORGANIZATION, OTHER].map(({ id }) => stores.members.takeRole("1", id)));
      // Whichever comes first.
      expect(ends.toSorted()).toEqual(["done", "left_with_nothing"]);
      expect((await stores.members.find("1"))?.roles).toHaveLength(1);
      await stores.members.add(owner("2"), "two");
      expect(await stores.members.setServerOwner("2", false)).toBe("left_with_nothing");
      await stores.members.giveRole("2", OTHER.id, "viewer");
      expect(await stores.members.takeRole("2", OTHER.id)).toBe("done");
    });

    test("the only owner of the server who can sign in stays one, until there is another", async () => {
      using stores = await opened();
      const role = { organizationId: ORGANIZATION.id, role: "viewer" } as const;
      const both = (id: string) => newMember(id, { isServerOwner: true, roles: [role] });
      await addActive(stores.members, both("1"));
      await stores.members.add(both("2"), "invited");
      expect(await stores.members.remove("1")).toBe("last_owner");
      expect(await stores.members.setServerOwner("1", false)).toBe("last_owner");
      expect((await stores.members.find("1"))?.isServerOwner).toBe(true);
      // Whoever was only invited can be missed, and could not take over.
      expect(await stores.members.setServerOwner("2", false)).toBe("done");
      await addActive(stores.members, both("3"));
      expect(await stores.members.setServerOwner("1", false)).toBe("done");
      expect(await stores.members.remove("1")).toBe("done");
      expect(await stores.members.remove("3")).toBe("last_owner");
      expect(await stores.members.remove("nobody")).toBe("missing");
      expect(await stores.members.setServerOwner("nobody", true)).toBe("missing");
    });

    test("two owners who remove each other at the same time: one stays", async () => {
      using stores = await opened();
      await addActive(stores.members, owner("1"));
      await addActive(stores.members, owner("2"));
      const ends = await Promise.all([stores.members.remove("1"), stores.members.remove("2")]);
      expect(ends.sort()).toEqual(["done", "last_owner"]);
    });

    test("with a member go their link and their sessions", async () => {
      using stores = await opened();
      await addActive(stores.members, newMember("1"));
      await stores.members.putLink(newLink("h", "1"));
      const given = {
        proof: { passwordHash: passwordOf("1") },
        most: 5,
        bounds: { createdAfter: 0, usedAfter: 0, now: 0 },
      };
      await stores.sessions.add(newSession("s", "1"), "secret", given);
      await stores.members.remove("1");
      expect(await stores.members.findLink("h", TEST_TIME)).toBeUndefined();
      expect(await stores.sessions.find("secret")).toBeUndefined();
    });

    test("a link is found until its time, and a newer one ends it", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1"), "one");
      const first = newLink("a", "1");
      await stores.members.putLink(first);
      expect(await stores.members.findLink("a", first.expiresAt - 1)).toEqual(first);
      expect(await stores.members.findLink("a", first.expiresAt)).toBeUndefined();
      await stores.members.putLink(newLink("b", "1"));
      expect(await stores.members.findLink("a", TEST_TIME)).toBeUndefined();
      expect(await stores.members.findLink("b", TEST_TIME)).toBeDefined();
    });

    test("a link ends with what its maker may not have had to give: another organization, or the server", async () => {
      using stores = await opened();
      const isThere = async () => (await stores.members.findLink("h", TEST_TIME)) !== undefined;
      const role = { organizationId: ORGANIZATION.id, role: "viewer" } as const;
      await stores.members.add(newMember("1", { roles: [role] }), "one");
      await stores.members.putLink(newLink("h", "1"));
      await stores.members.giveRole("1", ORGANIZATION.id, "owner");
      expect(await isThere()).toBe(true);
      await stores.members.giveRole("1", OTHER.id, "viewer");
      expect(await isThere()).toBe(false);
      await stores.members.putLink(newLink("h", "1"));
      await stores.members.takeRole("1", OTHER.id);
      expect(await isThere()).toBe(true);
      await stores.members.setServerOwner("1", true);
      expect(await isThere()).toBe(false);
      await stores.members.putLink(newLink("h", "1"));
      await stores.members.setServerOwner("1", false);
      expect(await isThere()).toBe(true);
    });

    test("the first link and those of members do not end each other", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1"), "one");
      await stores.members.putLink(newLink("first"));
      await stores.members.putLink(newLink("one", "1"));
      expect(await stores.members.findLink("first", TEST_TIME)).toEqual(newLink("first"));
      await stores.members.putLink(newLink("first again"));
      expect(await stores.members.findLink("one", TEST_TIME)).toBeDefined();
    });

    test(
      isShared ? "each server has a first link of its own" : "a newer first link ends the one before",
      async () => {
        using stores = await opened();
        await stores.members.putLink(newLink("first"));
        await stores.members.putLink(newLink("first again"));
        expect((await stores.members.findLink("first", TEST_TIME)) !== undefined).toBe(isShared);
        expect(await stores.members.findLink("first again", TEST_TIME)).toBeDefined();
        expect(await stores.members.redeemFirst(newLink("first again"), owner("1"), "one", "a")).toBe(true);
        expect(await stores.members.redeemFirst(newLink("first"), owner("2"), "two", "b")).toBe(false);
      },
    );

    test("of two who use one link at the same time, one chooses the password", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1", { name: "Ada" }), "ada");
      const link = newLink("h", "1");
      await stores.members.putLink(link);
      const made = await Promise.all(["a", "b"].map((hash) => stores.members.redeem(link, hash)));
      expect(made.toSorted()).toEqual([false, true]);
      expect((await stores.members.findCredentials("ada"))?.passwordHash).toBe(made[0] ? "a" : "b");
      expect((await stores.members.find("1"))?.isActive).toBe(true);
    });

    test("the first link makes one owner, and none where there is one", async () => {
      using stores = await opened();
      const link = newLink("first");
      await stores.members.putLink(link);
      expect(await stores.members.hasServerOwner()).toBe(false);
      const made = await Promise.all([
        stores.members.redeemFirst(link, owner("1"), "one", "a"),
        stores.members.redeemFirst(link, owner("2"), "two", "b"),
      ]);
      expect(made.toSorted()).toEqual([false, true]);
      await stores.members.putLink(newLink("again"));
      expect(await stores.members.redeemFirst(newLink("again"), owner("3"), "three", "c")).toBe(false);
      expect(await stores.members.list()).toEqual([{ ...owner(made[0] ? "1" : "2"), isActive: true }]);
      expect(await stores.members.hasServerOwner()).toBe(true);
    });

    test("the first owner whose name is taken leaves the link as it was", async () => {
      using stores = await opened();
      await stores.members.add(newMember("1", { name: "Ada" }), nameKeyOf("Ada"));
      await stores.members.putLink(newLink("first"));
      const taken = () => stores.members.redeemFirst(newLink("first"), owner("2"), "ada", "a");
      expect((await appErrorOf(taken)).code).toBe("conflict");
      expect(await stores.members.findLink("first", TEST_TIME)).toBeDefined();
    });

    test("a password is changed from what it is, and all sessions end; from anything else nothing changes", async () => {
      using stores = await opened();
      await addActive(stores.members, newMember("1", { name: "Ada" }));
      const given = {
        proof: { passwordHash: passwordOf("1") },
        most: 5,
        bounds: { createdAfter: 0, usedAfter: 0, now: 0 },
      };
      await stores.sessions.add(newSession("s", "1"), "secret", given);
      expect(await stores.members.changePassword("1", "another", "new")).toBe(false);
      expect(await stores.sessions.find("secret")).toBeDefined();
      expect(await stores.members.changePassword("1", passwordOf("1"), "new")).toBe(true);
      expect(await stores.sessions.find("secret")).toBeUndefined();
      expect((await stores.members.findCredentials("ada"))?.passwordHash).toBe("new");
    });

    test("a new password by a link ends all sessions", async () => {
      using stores = await opened();
      await addActive(stores.members, newMember("1"));
      const given = {
        proof: { passwordHash: passwordOf("1") },
        most: 5,
        bounds: { createdAfter: 0, usedAfter: 0, now: 0 },
      };
      await stores.sessions.add(newSession("s", "1"), "secret", given);
      await stores.members.putLink(newLink("h", "1"));
      await stores.members.redeem(newLink("h", "1"), "new");
      expect(await stores.sessions.find("secret")).toBeUndefined();
    });

    describe("whom somebody vouches for", () => {
      const VIEWER = { organizationId: ORGANIZATION.id, role: "viewer" } as const;
      const OWNER = { organizationId: OTHER.id, role: "owner" } as const;
      const subjectOf = (id: string) => [COMPANY.issuer, `subject of ${id}`] as const;

      test("is made a member who can sign in, and is found by that", async () => {
        using stores = await opened();
        const arrival = newArrival("1", { roles: [OWNER, VIEWER] });
        const { member, before } = await stores.members.arrive(arrival);
        expect(before).toBeUndefined();
        const expected = newMember("1", { isActive: true, vouched: arrival.vouched, roles: [VIEWER, OWNER] });
        expect({ ...member, roles: new Set(member?.roles) }).toEqual({
          ...expected,
          roles: new Set(expected.roles),
        });
        expect(await stores.members.findVouched(...subjectOf("1"))).toEqual(member);
        expect(await stores.members.findVouched("https://other.example", "subject of 1")).toBeUndefined();
        expect((await stores.members.findCredentials("member 1"))?.passwordHash).toBeUndefined();
      });

      test("is the same member when they come again, with the roles of now and the name of then", async () => {
        using stores = await opened();
        await stores.members.arrive(newArrival("1", { roles: [VIEWER], isServerOwner: true }));
        await stores.members.arrive(newArrival("owner", { isServerOwner: true }));
        const again = newArrival("2", {
          vouched: { ...COMPANY, provider: "renamed", subject: "subject of 1" },
          roles: [OWNER],
        });
        const { member, before } = await stores.members.arrive(again);
        expect(before).toMatchObject({ isServerOwner: true, roles: [VIEWER] });
        expect(member).toMatchObject({ id: "1", name: "Member 1", isServerOwner: false, roles: [OWNER] });
        expect(member?.vouched?.provider).toBe("renamed");
        expect((await stores.members.list()).map(({ id }) => id)).toEqual(["1", "owner"]);
      });

      test("is told apart from a member who has the name, by password or not", async () => {
        using stores = await opened();
        const ada = await addActive(stores.members, newMember("1", { name: "Member 2" }));
        await stores.members.arrive(newArrival("2", { roles: [VIEWER] }));
        const third = newArrival("3", { names: newArrival("2").names, roles: [VIEWER] });
        await stores.members.arrive(third);
        const names = (await stores.members.list()).map(({ id, name }) => [id, name]);
        expect(names).toEqual([
          ["1", "Member 2"],
          ["3", "Member 2 (2)"],
          ["2", "Member 2 (company)"],
        ]);
        expect(await stores.members.find("1")).toEqual(ada);
      });

      test("who is nothing is not made a member", async () => {
        using stores = await opened();
        expect(await stores.members.arrive(newArrival("1"))).toEqual({
          member: undefined,
          before: undefined,
        });
        expect(await stores.members.list()).toEqual([]);
      });

      test("who is nothing any more stays without a role, and is signed out", async () => {
        using stores = await opened();
        await stores.members.arrive(newArrival("1", { roles: [VIEWER] }));
        const [issuer, subject] = subjectOf("1");
        const given = {
          proof: { issuer, subject },
          most: 5,
          bounds: { createdAfter: 0, usedAfter: 0, now: 0 },
        };
        await stores.sessions.add(newSession("s", "1"), "secret", given);
        expect(await stores.sessions.find("secret")).toBeDefined();
        const { member, before } = await stores.members.arrive(newArrival("1"));
        expect([member?.roles, before?.roles]).toEqual([[], [VIEWER]]);
        expect(await stores.sessions.find("secret")).toBeUndefined();
      });

      test("the last owner of the server stays one, whatever their groups say; behind another one, they do not", async () => {
        using stores = await opened();
        await stores.members.arrive(newArrival("1", { isServerOwner: true }));
        expect((await stores.members.arrive(newArrival("1"))).member?.isServerOwner).toBe(true);
        expect(await stores.members.remove("1")).toBe("last_owner");
        await addActive(stores.members, owner("2"));
        expect((await stores.members.arrive(newArrival("1"))).member?.isServerOwner).toBe(false);
      });

      test("counts as an owner who can sign in: one with a password may go", async () => {
        using stores = await opened();
        await addActive(stores.members, owner("1"));
        await stores.members.arrive(newArrival("2", { isServerOwner: true }));
        expect(await stores.members.remove("1")).toBe("done");
      });

      test("a role in an organization that there is not makes nobody", async () => {
        using stores = await opened();
        const lost = newArrival("1", { roles: [{ organizationId: "nowhere", role: "owner" }] });
        await expect(stores.members.arrive(lost)).rejects.toThrow();
        expect(await stores.members.list()).toEqual([]);
      });

      test("when they were seen never goes back", async () => {
        using stores = await opened();
        await stores.members.arrive(newArrival("1", { roles: [VIEWER] }));
        await stores.members.seen("1", TEST_TIME + 5);
        await stores.members.seen("1", TEST_TIME);
        await stores.members.seen("nobody", TEST_TIME);
        expect((await stores.members.find("1"))?.lastSeenAt).toBe(TEST_TIME + 5);
      });
    });
  });
}
