import { describe, expect, test } from "bun:test";
import { nameKeyOf } from "../../src/members/member.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addActive, newLink, newMember, newSession, passwordOf } from "../helpers/member-data.ts";
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
      const given = { passwordHash: passwordOf("1"), most: 5, bounds: { createdAfter: 0, usedAfter: 0 } };
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
      const given = { passwordHash: passwordOf("1"), most: 5, bounds: { createdAfter: 0, usedAfter: 0 } };
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
      const given = { passwordHash: passwordOf("1"), most: 5, bounds: { createdAfter: 0, usedAfter: 0 } };
      await stores.sessions.add(newSession("s", "1"), "secret", given);
      await stores.members.putLink(newLink("h", "1"));
      await stores.members.redeem(newLink("h", "1"), "new");
      expect(await stores.sessions.find("secret")).toBeUndefined();
    });
  });
}
