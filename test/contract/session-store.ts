import { describe, expect, test } from "bun:test";
import type { Session, SessionBounds } from "../../src/people/members/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import { addActive, COMPANY, newArrival, newMember, newSession, passwordOf } from "../helpers/member-data.ts";
import type { OpenStores } from "./stores.ts";

const ALL: SessionBounds = { createdAfter: 0, usedAfter: 0, now: 0 };

/** What every SessionStore guarantees. */
export function describeSessionStore(name: string, open: OpenStores<"members" | "sessions">): void {
  async function opened() {
    const stores = await open();
    await addActive(stores.members, newMember("1"));
    await addActive(stores.members, newMember("2"));
    const add = (session: Session, { most = 10, bounds = ALL } = {}) =>
      stores.sessions.add(session, `secret ${session.id}`, {
        proof: { passwordHash: passwordOf(session.memberId) },
        most,
        bounds,
      });
    const ids = async (memberId: string) => (await stores.sessions.list(memberId)).map(({ id }) => id);
    return { ...stores, add, ids, [Symbol.dispose]: () => stores[Symbol.dispose]() };
  }

  describe(`session store: ${name}`, () => {
    test("a session is found by its secret's hash, with its member, who was seen then", async () => {
      using it = await opened();
      const session = newSession("a", "1");
      expect(await it.add(session)).toBe(true);
      expect(await it.sessions.find("secret a")).toEqual({
        session,
        member: newMember("1", { isActive: true, lastSeenAt: TEST_TIME }),
      });
      for (const wrong of ["", "a", "secret", "secret A", "%"])
        expect(await it.sessions.find(wrong)).toBeUndefined();
    });

    test("where the password was changed meanwhile, or the member removed, none begins", async () => {
      using it = await opened();
      await it.members.changePassword("1", passwordOf("1"), "new");
      await it.members.remove("2");
      expect(await it.add(newSession("a", "1"))).toBe(false);
      expect(await it.add(newSession("b", "2"))).toBe(false);
      expect(await it.sessions.find("secret a")).toBeUndefined();
    });

    test("a member's sessions are listed, the last used one first, and nobody else's", async () => {
      using it = await opened();
      await it.add(newSession("a", "1"));
      await it.add(newSession("b", "1", { lastUsedAt: TEST_TIME + 2 }));
      await it.add(newSession("c", "1", { lastUsedAt: TEST_TIME + 1 }));
      await it.add(newSession("d", "2"));
      expect(await it.ids("1")).toEqual(["b", "c", "a"]);
    });

    test("beyond the most that a member has, those that were used longest ago end", async () => {
      using it = await opened();
      for (const [index, id] of ["a", "b", "c"].entries())
        await it.add(newSession(id, "1", { lastUsedAt: TEST_TIME + index }), { most: 2 });
      await it.add(newSession("other", "2"), { most: 2 });
      expect(await it.ids("1")).toEqual(["c", "b"]);
      // Another of the same moment takes nobody's place but theirs, and stays itself.
      await it.add(newSession("0", "1", { lastUsedAt: TEST_TIME + 2 }), { most: 1 });
      expect(await it.ids("1")).toEqual(["0"]);
      expect(await it.ids("2")).toEqual(["other"]);
    });

    test("those that ended by themselves are removed when another begins, whosever they are", async () => {
      using it = await opened();
      await it.add(newSession("old", "2", { createdAt: TEST_TIME - 9 }));
      await it.add(newSession("idle", "2", { lastUsedAt: TEST_TIME - 5 }));
      await it.add(newSession("used", "2"));
      const bounds = { createdAfter: TEST_TIME - 9, usedAfter: TEST_TIME - 5, now: TEST_TIME };
      await it.add(newSession("new", "1"), { bounds });
      expect(await it.ids("2")).toEqual(["used"]);
    });

    test("a session is ended by its member, and by nobody else", async () => {
      using it = await opened();
      await it.add(newSession("a", "1"));
      expect(await it.sessions.end("2", "a")).toBe(false);
      expect(await it.sessions.end("1", "b")).toBe(false);
      expect(await it.sessions.end("1", "a")).toBe(true);
      expect(await it.sessions.end("1", "a")).toBe(false);
      expect(await it.ids("1")).toEqual([]);
    });

    test("the last use never goes back, is the member's too, and one of an ended session is nothing", async () => {
      using it = await opened();
      await it.add(newSession("a", "1"));
      await it.sessions.touch(
        new Map([
          ["a", TEST_TIME + 5],
          ["gone", TEST_TIME],
        ]),
      );
      await it.sessions.touch(new Map([["a", TEST_TIME + 3]]));
      const found = await it.sessions.find("secret a");
      expect([found?.session.lastUsedAt, found?.member.lastSeenAt]).toEqual([TEST_TIME + 5, TEST_TIME + 5]);
    });

    test("when a member was last seen stays when their sessions are gone", async () => {
      using it = await opened();
      await it.add(newSession("a", "1"));
      await it.sessions.end("1", "a");
      expect((await it.members.find("1"))?.lastSeenAt).toBe(TEST_TIME);
    });

    describe("by a provider", () => {
      const ends = (sid: string | undefined, endsAt = TEST_TIME + 100) => ({
        provided: { provider: "company", sid, idToken: `token of ${sid}`, endsAt },
      });
      async function withArrivals() {
        const it = await opened();
        for (const id of ["3", "4"]) await it.members.arrive(newArrival(id, { isServerOwner: true }));
        const addProvided = (session: Session, subject = `subject of ${session.memberId}`, now = TEST_TIME) =>
          it.sessions.add(session, `secret ${session.id}`, {
            proof: { issuer: COMPANY.issuer, subject },
            most: 10,
            bounds: { ...ALL, now },
          });
        const end = (subject: string | undefined, sid: string | undefined, issuer = COMPANY.issuer) =>
          it.sessions.endProvided({ issuer, subject, sid });
        return { ...it, addProvided, end };
      }

      test("a session is found with what is known of it, and listed with it", async () => {
        using it = await withArrivals();
        const session = newSession("a", "3", ends("s1"));
        expect(await it.addProvided(session)).toBe(true);
        expect((await it.sessions.find("secret a"))?.session).toEqual(session);
        expect(await it.sessions.list("3")).toEqual([session]);
        const bare = { provider: "company", sid: undefined, idToken: undefined, endsAt: 7 };
        await it.addProvided(newSession("b", "4", { provided: bare }));
        expect((await it.sessions.find("secret b"))?.session.provided).toEqual(bare);
      });

      test("none begins for whom nobody vouches under that name", async () => {
        using it = await withArrivals();
        expect(await it.addProvided(newSession("a", "3", ends("s1")), "subject of 4")).toBe(false);
        expect(await it.addProvided(newSession("b", "1", ends("s1")))).toBe(false);
      });

      test("those whose end has come are removed when another begins", async () => {
        using it = await withArrivals();
        await it.addProvided(newSession("a", "3", ends("s1", TEST_TIME + 10)));
        await it.addProvided(newSession("b", "3", ends("s2", TEST_TIME + 11)));
        await it.addProvided(newSession("c", "4", ends("s3")), undefined, TEST_TIME + 10);
        expect(await it.ids("3")).toEqual(["b"]);
      });

      test("the provider ends those of one of its sessions, or all of a subject, and nobody else's", async () => {
        using it = await withArrivals();
        await it.addProvided(newSession("a", "3", ends("s1")));
        await it.addProvided(newSession("b", "3", ends("s2")));
        await it.addProvided(newSession("c", "4", ends("s1")));
        await it.add(newSession("d", "1"));
        expect(await it.end(undefined, undefined)).toBe(0);
        expect(await it.end("subject of 3", undefined, "https://evil.example")).toBe(0);
        expect(await it.end("subject of 3", "s1")).toBe(1);
        expect([await it.ids("3"), await it.ids("4")]).toEqual([["b"], ["c"]]);
        expect(await it.end(undefined, "s1")).toBe(1);
        expect(await it.end("subject of 3", undefined)).toBe(1);
        expect([await it.ids("3"), await it.ids("4"), await it.ids("1")]).toEqual([[], [], ["d"]]);
      });
    });
  });
}
