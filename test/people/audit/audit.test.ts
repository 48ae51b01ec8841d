import { describe, expect, test } from "bun:test";
import { type AuditEvent, aboutMember, createAudit } from "../../../src/people/audit/audit.ts";
import type { AuditStore } from "../../../src/people/audit/stores.ts";
import { fakeClock, TEST_TIME } from "../../helpers/fake-clock.ts";
import { testIds } from "../../helpers/test-ids.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };
const DAY_MS = 24 * 3600 * 1000;
const never = new AbortController().signal;

async function opened({ isReadOnly = false } = {}) {
  const storage = await openTestStorage();
  const { clock, advance } = fakeClock();
  const looks: number[] = [];
  const store: AuditStore = {
    ...storage.audit,
    look(period, filter, look) {
      looks.push(look.lookedAtMax);
      return storage.audit.look(period, filter, look);
    },
  };
  const audit = createAudit({ store, isReadOnly, clock, ids: testIds(clock) });
  const add = (event: AuditEvent) => audit.record({ kind: "command-line" }, event);
  return { audit, add, advance, looks, [Symbol.dispose]: () => storage[Symbol.dispose]() };
}

describe("the audit log", () => {
  test("an entry tells who, what, to what and when, and readers of it are told apart by organization", async () => {
    using it = await opened();
    const ada = { id: "m1", name: "Ada", roles: [{ organizationId: "o1" }, { organizationId: "o1" }] };
    await it.audit.record(
      { kind: "member", id: "m1", name: "Ada" },
      { kind: "member.signed-in", ...aboutMember(ada), details: { with: "password" } },
    );
    const shown = async (organizationIds?: string[]) =>
      (await it.audit.list(ALWAYS, { organizationIds }, { limit: 10 }, never)).entries;
    expect(await shown(["o1"])).toEqual([
      {
        id: expect.any(String),
        at: new Date(TEST_TIME).toISOString(),
        kind: "member.signed-in",
        actor: { kind: "member", id: "m1", name: "Ada" },
        site: null,
        subject: { id: "m1", name: "Ada" },
        details: { with: "password" },
      },
    ]);
    expect(await shown(["o2"])).toEqual([]);
    expect(await shown()).toHaveLength(1);
  });

  test("parts join without a gap while entries come in, and a long name is cut", async () => {
    using it = await opened();
    for (let number = 0; number < 7; number++) {
      await it.add({ kind: "answer.written", subject: { name: `${number}${"🦉".repeat(400)}` } });
      it.advance(1);
    }
    const names: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const part = await it.audit.list(ALWAYS, {}, { limit: 3, cursor }, never);
      names.push(...part.entries.map(({ subject }) => subject.name));
      cursor = part.nextCursor ?? undefined;
      await it.add({ kind: "backup.taken" });
    } while (cursor !== undefined);
    expect(names.map((name) => name?.[0])).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    expect(names.every((name) => name !== null && name.length <= 500 && name.isWellFormed())).toBe(true);
  });

  test("what is rare is found by several looks that are each short", async () => {
    using it = await opened();
    await it.add({ kind: "backup.taken" });
    for (let number = 0; number < 1100; number++) await it.add({ kind: "site.added", site: `s${number}` });
    it.looks.length = 0;
    const { entries, hasMore } = await it.audit.list(
      ALWAYS,
      { kinds: ["backup.taken"] },
      { limit: 10 },
      never,
    );
    expect(entries).toHaveLength(1);
    expect(hasMore).toBe(false);
    expect(it.looks).toEqual([500, 500, 500]);
  });

  test("all entries come in the order in which they were made, however many", async () => {
    using it = await opened();
    for (let number = 0; number < 600; number++) {
      await it.add({ kind: "site.added", site: `s${number}` });
      it.advance(1);
    }
    const sites: (string | undefined)[] = [];
    for await (const { site } of it.audit.entries(ALWAYS, {}, never)) sites.push(site);
    expect(sites).toEqual(Array.from({ length: 600 }, (_, number) => `s${number}`));
  });

  test("what is older than the days it is kept is removed; none is where that is 0", async () => {
    using it = await opened();
    for (let number = 0; number < 1001; number++) await it.add({ kind: "backup.taken" });
    it.advance(30 * DAY_MS);
    await it.add({ kind: "backup.restored" });
    expect(await it.audit.removeOlder(0, never)).toBe(0);
    expect(await it.audit.removeOlder(30, never)).toBe(0);
    expect(await it.audit.removeOlder(29, never)).toBe(1001);
    const { entries } = await it.audit.list(ALWAYS, {}, { limit: 10 }, never);
    expect(entries.map(({ kind }) => kind)).toEqual(["backup.restored"]);
  });

  test("where nothing can be written, what only reads goes on without an entry", async () => {
    using it = await opened({ isReadOnly: true });
    await it.add({ kind: "conversations.exported", details: { format: "csv" } });
    expect((await it.audit.list(ALWAYS, {}, { limit: 10 }, never)).entries).toEqual([]);
  });

  test("a cursor of another list is refused", async () => {
    using it = await opened();
    expect(it.audit.list(ALWAYS, {}, { limit: 1, cursor: "WyJhIl0" }, never)).rejects.toThrow("cursor");
  });
});
