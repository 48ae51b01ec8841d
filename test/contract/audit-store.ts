import { describe, expect, test } from "bun:test";
import type { AuditEntry, AuditFilter, AuditLook } from "../../src/people/audit/stores.ts";
import { TEST_TIME } from "../helpers/fake-clock.ts";
import type { OpenStores } from "./stores.ts";

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** What every store of the audit log guarantees. */
export function describeAuditStore(name: string, open: OpenStores<"audit">): void {
  describe(`audit store: ${name}`, () => {
    async function opened() {
      const stores = await open();
      const { audit } = stores;
      const look = (filter: AuditFilter = {}, how: Partial<AuditLook> = {}, period = ALWAYS) =>
        audit.look(period, filter, {
          order: "newest",
          behind: undefined,
          limit: 100,
          lookedAtMax: 100,
          ...how,
        });
      const idsOf = async (...asked: Parameters<typeof look>) =>
        (await look(...asked)).found.map(({ id }) => id);
      return { audit, look, idsOf, [Symbol.dispose]: () => stores[Symbol.dispose]() };
    }

    test("an entry is read as it was added, with all that it tells or with nothing of it", async () => {
      using it = await opened();
      const whole = entry("b", {
        actorId: "m1",
        actorName: "Ada",
        organizationIds: ["o1", "o2"],
        site: "acme",
        subjectId: "k1",
        subjectName: 'a "name" 🦉',
        details: { changed: ["contact", "origins"], write: false, generation: 4, role: "owner" },
      });
      const bare = entry("a", { actorKind: "server" });
      await it.audit.add(bare);
      await it.audit.add(whole);
      expect((await it.look()).found).toEqual([whole, bare]);
    });

    test("both orders are by time, and by id where that is the same", async () => {
      using it = await opened();
      for (const [id, after] of [
        ["c", 0],
        ["a", 0],
        ["b", -5],
        ["d", 7],
      ] as const)
        await it.audit.add(entry(id, { at: TEST_TIME + after }));
      expect(await it.idsOf()).toEqual(["d", "c", "a", "b"]);
      expect(await it.idsOf({}, { order: "oldest" })).toEqual(["b", "a", "c", "d"]);
    });

    test.each(["newest", "oldest"] as const)(
      "parts join without a gap, %s first, whatever is found",
      async (order) => {
        using it = await opened();
        const ids = [..."abcdefg"];
        for (const [index, id] of ids.entries())
          await it.audit.add(
            entry(id, {
              at: TEST_TIME + (index >> 1),
              kind: index % 3 === 0 ? "site.added" : "site.removed",
            }),
          );
        const found: string[] = [];
        let behind: AuditLook["behind"];
        let looks = 0;
        do {
          const part = await it.look({ kinds: ["site.added"] }, { order, behind, lookedAtMax: 2 });
          found.push(...part.found.map(({ id }) => id));
          behind = part.lookedAt;
          looks++;
        } while (behind !== undefined);
        expect(found).toEqual(order === "newest" ? ["g", "d", "a"] : ["a", "d", "g"]);
        expect(looks).toBe(4);
      },
    );

    test("a period has its beginning and not its end, in both orders", async () => {
      using it = await opened();
      for (const [id, after] of [
        ["a", -1],
        ["b", 0],
        ["c", 1],
        ["d", 2],
      ] as const)
        await it.audit.add(entry(id, { at: TEST_TIME + after }));
      const period = { from: TEST_TIME, to: TEST_TIME + 2 };
      expect(await it.idsOf({}, {}, period)).toEqual(["c", "b"]);
      expect(await it.idsOf({}, { order: "oldest" }, period)).toEqual(["b", "c"]);
    });

    test("it is narrowed by kinds, by who did it, and by who may read it", async () => {
      using it = await opened();
      await it.audit.add(entry("a", { actorId: "m1", kind: "site.added", organizationIds: ["o1"] }));
      await it.audit.add(entry("b", { actorId: "m2", kind: "site.removed", organizationIds: ["o1", "o2"] }));
      await it.audit.add(entry("c", { actorKind: "server", kind: "backup.taken" }));
      expect(await it.idsOf({ kinds: ["site.added", "backup.taken"] })).toEqual(["c", "a"]);
      expect(await it.idsOf({ kinds: [] })).toEqual([]);
      expect(await it.idsOf({ actor: "m2" })).toEqual(["b"]);
      expect(await it.idsOf({ actor: "server" })).toEqual(["c"]);
      expect(await it.idsOf({ actor: "member" })).toEqual([]);
      expect(await it.idsOf({ organizationIds: ["o2", "o3"] })).toEqual(["b"]);
      expect(await it.idsOf({ organizationIds: [] })).toEqual([]);
      expect(await it.idsOf({ organizationIds: ["o1"], actor: "m1" })).toEqual(["a"]);
    });

    test("what is too old is removed, the oldest first and so many at once; what is not stays", async () => {
      using it = await opened();
      for (const [id, after] of [
        ["c", -1],
        ["a", -3],
        ["b", -2],
        ["d", 0],
      ] as const)
        await it.audit.add(entry(id, { at: TEST_TIME + after }));
      expect(await it.audit.removeOlder(TEST_TIME, 2)).toBe(2);
      expect(await it.idsOf()).toEqual(["d", "c"]);
      expect(await it.audit.removeOlder(TEST_TIME, 2)).toBe(1);
      expect(await it.audit.removeOlder(TEST_TIME, 2)).toBe(0);
      expect(await it.idsOf()).toEqual(["d"]);
    });

    test("an entry that is there is not written over", async () => {
      using it = await opened();
      await it.audit.add(entry("a", { subjectName: "first" }));
      expect(await rejects(it.audit.add(entry("a", { subjectName: "second" })))).toBe(true);
      expect((await it.look()).found).toMatchObject([{ subjectName: "first" }]);
    });
  });
}

const rejects = (work: Promise<void>) =>
  work.then(
    () => false,
    () => true,
  );

const entry = (id: string, told: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: TEST_TIME,
  kind: "site.changed",
  actorKind: "member",
  actorId: undefined,
  actorName: undefined,
  organizationIds: [],
  site: undefined,
  subjectId: undefined,
  subjectName: undefined,
  details: {},
  ...told,
});
