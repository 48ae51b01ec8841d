import { expect } from "bun:test";
import { createRetention } from "../../../../../src/answering/threads/retention.ts";
import { DAY_MS } from "../../../../../src/kernel/lib/clock.ts";
import { createAudit } from "../../../../../src/people/audit/audit.ts";
import { keepSites } from "../../../../../src/running/upkeep/sites.ts";
import { createSteadily } from "../../../../../src/running/upkeep/steadily.ts";
import { keepAudit } from "../../../../../src/running/upkeep/upkeep.ts";
import { TEST_TIME } from "../../../../helpers/fake-clock.ts";
import { testLog } from "../../../../helpers/test-log.ts";
import { addTurn } from "../../../../helpers/turn-data.ts";
import { until } from "../../../../helpers/until.ts";
import { followed, linesOf, REFUSALS, type Work } from "../half-way.ts";
import { addSite } from "./site.ts";

/** More than are deleted at once. */
const TURNS = 205;
const DAYS = 1;

const TURNS_STAY = "what a site keeps no longer could not be deleted";
const TURNS_WENT = "what a site keeps no longer was deleted";
const ENTRIES_STAY = "what the audit log keeps no longer could not be removed";
const ENTRIES_WENT = "what the audit log keeps no longer was removed";

/** A server that deletes what a site keeps no longer, when some of the turns are gone. */
export const retentionOfServer: Work = async (it, middle) => {
  const site = await addSite(it, "kept");
  const { people, reports, storage } = it.server.parts;
  await people.sites.set("kept", { settings: { retentionDays: DAYS } });
  const { threads, retention: store } = storage.conversations;
  const at = TEST_TIME - 2 * DAYS * DAY_MS;
  for (let turn = 0; turn < TURNS; turn++) await addTurn(threads, { siteId: site.id, id: `old ${turn}`, at });
  await addTurn(threads, { siteId: site.id, id: "new", at: it.clock() });
  const retention = createRetention({
    store: { ...store, removeTurns: followed(store.removeTurns, middle) },
    clock: it.clock,
  });
  const { log, lines } = testLog();
  const sites = { ...people.sites, list: site.list };
  const parts = { people: { ...people, sites }, reports: { ...reports, retention }, storage };
  const work = keepSites(parts, log, createSteadily({ clock: it.clock, log }), 5);
  return {
    refused: () => until(() => linesOf(lines, TURNS_STAY).length >= REFUSALS),
    async ended() {
      const has = (turn: string) => store.hasThread(site.id, `thread ${turn}`);
      await until(() => linesOf(lines, TURNS_WENT).length > 0);
      await work.close();
      const left = await Promise.all(Array.from({ length: TURNS }, (_, turn) => has(`old ${turn}`)));
      expect([left.filter(Boolean).length, await has("new")]).toEqual([0, true]);
      const told = linesOf(lines, TURNS_WENT).map(({ turns }) => Number(turns));
      expect(told.reduce((sum, turns) => sum + turns, 0)).toBe(TURNS);
    },
  };
};

/** A server that removes what the audit log keeps no longer, when some of the entries are gone. */
export const auditOfServer: Work = async (it, middle) => {
  const { people, storage, ids } = it.server.parts;
  const at = () => TEST_TIME - 2 * DAYS * DAY_MS;
  const { audit: store } = storage.people;
  const past = createAudit({ store, isReadOnly: false, clock: at, ids });
  for (const site of ["a", "b", "c"])
    await past.record({ kind: "command-line" }, { kind: "site.added", site });
  await people.audit.record({ kind: "command-line" }, { kind: "site.added", site: "now" });
  let removed = 0;
  const audit = createAudit({
    store: {
      ...store,
      async removeOlder(...given) {
        removed = await store.removeOlder(...given);
        await middle();
        return removed;
      },
    },
    isReadOnly: false,
    clock: it.clock,
    ids,
  });
  const { log, lines } = testLog();
  const steadily = createSteadily({ clock: it.clock, log });
  const work = keepAudit({ people: { ...people, audit } }, { audit_days: DAYS }, log, steadily, 5);
  return {
    refused: () => until(() => linesOf(lines, ENTRIES_STAY).length >= REFUSALS),
    async ended() {
      const period = { from: 0, to: it.clock() + 1 };
      const entries = () => Array.fromAsync(people.audit.entries(period, {}, new AbortController().signal));
      // The round behind the last refusal is the last one for an hour.
      await until(() => removed === 0);
      await work.close();
      expect((await entries()).map(({ site }) => site)).toEqual(["now"]);
      expect(linesOf(lines, ENTRIES_WENT)).toMatchObject([{ entries: 3 }]);
    },
  };
};
