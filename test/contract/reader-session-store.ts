import { describe, expect, test } from "bun:test";
import type { ReaderSession } from "../../src/people/readers/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import type { OpenStores } from "./stores.ts";

const BOUNDS = { most: 10, now: TEST_TIME, usedAfter: TEST_TIME - 1000 };

/** What every ReaderSessionStore guarantees. */
export function describeReaderSessionStore(name: string, open: OpenStores<"readerSessions">): void {
  async function opened() {
    const stores = await open();
    const session = (id: string, subject: string, change: Partial<ReaderSession> = {}): ReaderSession => ({
      id,
      identity: {
        issuer: "https://id.example.com",
        subject,
        name: `Name of ${subject}`,
        groups: ["staff", "ops"],
      },
      provider: "company",
      sid: `sid ${id}`,
      createdAt: TEST_TIME,
      lastUsedAt: TEST_TIME,
      expiresAt: TEST_TIME + 1000,
      ...change,
    });
    const add = (one: ReaderSession, bounds: Partial<typeof BOUNDS> = {}) =>
      stores.readerSessions.add(one, `secret ${one.id}`, { ...BOUNDS, ...bounds });
    const isThere = async (id: string) => (await stores.readerSessions.findById(id)) !== undefined;
    return { ...stores, session, add, isThere, [Symbol.dispose]: () => stores[Symbol.dispose]() };
  }

  describe(`reader session store: ${name}`, () => {
    test("a session is found by its secret's hash, and by its id, as it was", async () => {
      using it = await opened();
      const unnamed = { issuer: "i", subject: "s", name: undefined, groups: [] };
      const session = it.session("a", "ada");
      const other = it.session("b", "eve", { sid: undefined, identity: unnamed });
      await it.add(session);
      await it.add(other);
      expect(await it.readerSessions.find("secret a")).toEqual(session);
      expect(await it.readerSessions.findById("b")).toEqual(other);
      for (const wrong of ["", "a", "secret", "secret A", "%"])
        expect(await it.readerSessions.find(wrong)).toBeUndefined();
    });

    test("beyond the most that a reader has, those that were used longest ago end", async () => {
      using it = await opened();
      for (const [index, id] of ["a", "b", "c"].entries())
        await it.add(it.session(id, "ada", { lastUsedAt: TEST_TIME + index }), { most: 2 });
      await it.add(it.session("other", "eve"), { most: 1 });
      expect(await Promise.all(["a", "b", "c", "other"].map(it.isThere))).toEqual([false, true, true, true]);
    });

    test("those that are over are removed when another begins, whosever they are", async () => {
      using it = await opened();
      await it.add(it.session("expired", "ada", { expiresAt: TEST_TIME + 9 }));
      await it.add(it.session("idle", "bob", { lastUsedAt: TEST_TIME - 5 }));
      await it.add(it.session("used", "eve"));
      await it.add(it.session("new", "ada"), { now: TEST_TIME + 9, usedAfter: TEST_TIME - 5 });
      expect(await Promise.all(["expired", "idle", "used", "new"].map(it.isThere))).toEqual([
        false,
        false,
        true,
        true,
      ]);
    });

    test("a provider ends one of its sessions, or all of a reader, and none of another issuer's", async () => {
      using it = await opened();
      await it.add(it.session("a", "ada"));
      await it.add(it.session("b", "ada"));
      await it.add(it.session("c", "eve"));
      const elsewhere = { ...it.session("d", "ada").identity, issuer: "https://other.example.com" };
      await it.add(it.session("d", "ada", { identity: elsewhere, sid: "sid a" }));
      const end = (ended: { sid?: string; subject?: string }) =>
        it.readerSessions.endOf({
          issuer: "https://id.example.com",
          sid: undefined,
          subject: undefined,
          ...ended,
        });
      expect(await end({ sid: "sid x" })).toBe(0);
      expect(await end({ sid: "sid a", subject: "eve" })).toBe(0);
      expect(await end({ sid: "sid a" })).toBe(1);
      expect(await end({ subject: "ada" })).toBe(1);
      expect(await Promise.all(["a", "b", "c", "d"].map(it.isThere))).toEqual([false, false, true, true]);
    });

    test("a session is ended by its id, and its last use never goes back", async () => {
      using it = await opened();
      await it.add(it.session("a", "ada"));
      await it.add(it.session("b", "ada"));
      await it.readerSessions.end("b");
      await it.readerSessions.touch(
        new Map([
          ["a", TEST_TIME + 5],
          ["b", TEST_TIME + 5],
        ]),
      );
      await it.readerSessions.touch(new Map([["a", TEST_TIME + 3]]));
      expect((await it.readerSessions.findById("a"))?.lastUsedAt).toBe(TEST_TIME + 5);
      expect(await it.isThere("b")).toBe(false);
    });
  });
}
