import { describe, expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { DAY_MS } from "../../../src/kernel/lib/clock.ts";
import { completeIndexes } from "../../../src/running/upkeep/indexes.ts";
import { keepSites } from "../../../src/running/upkeep/sites.ts";
import { createSteadily } from "../../../src/running/upkeep/steadily.ts";
import { keepAudit } from "../../../src/running/upkeep/upkeep.ts";
import { createOrganizationTurns } from "../../../src/sites/ingest/organization-turns.ts";
import { FIXTURE_DOCS } from "../../helpers/docent.ts";
import { TEST_TIME } from "../../helpers/fake-clock.ts";
import { testLog } from "../../helpers/test-log.ts";
import { addTurn } from "../../helpers/turn-data.ts";
import { until } from "../../helpers/until.ts";
import { engines } from "./outages/engines.ts";
import { NEVER, opened, REFUSALS } from "./outages/half-way.ts";

describe.each(engines())("while %s is away", (_name, startEngine) => {
  test("what is no longer kept stays, which is logged, and goes by itself when the database is back", async () => {
    await using it = await opened(startEngine);
    const {
      server: { parts },
      clock,
    } = it;
    const { people, storage } = parts;
    const site = await people.sites.add({ domain: "acme", settings: { retentionDays: 1 } });
    await addTurn(storage.conversations.threads, { siteId: site.id, id: "old", at: TEST_TIME });
    await people.audit.record({ kind: "command-line" }, { kind: "site.added", site: "acme" });
    it.advance(2 * DAY_MS);
    const { log, lines } = testLog();
    const steadily = createSteadily({ clock, log });
    const of = (event: string) => lines.filter((line) => line["event"] === event).length;

    const turnsStay = "what a site keeps no longer could not be deleted";
    const entriesStay = "what the audit log keeps no longer could not be removed";
    const works: { close(): Promise<void> }[] = [];
    await it.away(async () => {
      works.push(keepSites(parts, log, steadily, 5), keepAudit(parts, { audit_days: 1 }, log, steadily, 5));
      await until(() => of(turnsStay) >= REFUSALS && of(entriesStay) >= REFUSALS);
    });
    await until(() => of("what a site keeps no longer was deleted") > 0);
    await until(() => of("what the audit log keeps no longer was removed") > 0);
    await Promise.all(works.map((each) => each.close()));
    expect(lines.filter((line) => "turns" in line || "entries" in line)).toHaveLength(2);
    expect(lines.find((line) => "turns" in line)).toMatchObject({ turns: 1 });
    expect(lines.find((line) => "entries" in line)).toMatchObject({ entries: 1 });
    expect(await storage.conversations.retention.hasThread(site.id, "thread old")).toBe(false);
  });

  test("an index that is not whole stays so, which is said once a site at the most, and is made whole when it is back", async () => {
    await using it = await opened(startEngine);
    const { people, content, sources, storage } = it.server.parts;
    const { id } = await people.sites.add({ domain: "acme" });
    await sources.ingest.run({
      source: { siteId: id, kind: "folder", location: FIXTURE_DOCS, version: "", language: "" },
      reader: sources.readFolder(FIXTURE_DOCS),
      generation: 0,
      signal: NEVER,
    });
    await it.rows("DELETE FROM segments");
    const lacks = async () => (await content.index.lacks(id, NEVER)).missing;
    expect(await lacks()).toBeGreaterThan(0);

    const { log, lines } = testLog();
    let looks = 0;
    const of = (event: string) => lines.filter((line) => line["event"] === event);
    const works: { close(): Promise<void> }[] = [];
    await it.away(async () => {
      const takeOn: typeof storage.takeOn = (work) => {
        looks += 1;
        return storage.takeOn(work);
      };
      const { list } = people.sites;
      const index = { list, stores: storage.content, index: content.index, takeOn, lookMs: 5 };
      works.push(completeIndexes(index, createOrganizationTurns(1), log));
      await until(() => looks > REFUSALS);
      expect(of("a site's keyword index is whole")).toEqual([]);
    });
    await until(() => of("a site's keyword index is whole").length > 0);
    await Promise.all(works.map((each) => each.close()));
    expect(await lacks()).toBe(0);
    expect(of("a site's keyword index could not be made whole").length).toBeLessThanOrEqual(1);
    expect(of("a site's keyword index is whole")).toHaveLength(1);
  });

  test("golden questions that somebody asks are answered whole or not at all, and stand where they stood once it is back", async () => {
    await using it = await opened(startEngine);
    const { people, sources, golden } = it.server.parts;
    const site = await people.sites.add({ domain: "acme" });
    await sources.ingest.run({
      source: { siteId: site.id, kind: "folder", location: FIXTURE_DOCS, version: "", language: "" },
      reader: sources.readFolder(FIXTURE_DOCS),
      generation: 0,
      signal: NEVER,
    });
    for (const question of ["How do I install Acme on Linux?", "How long is data kept?", "Who won in 1954?"])
      await golden.questions.add(site, { question, expected: ["guide/install"] });
    const before = await golden.run(site.id, NEVER);
    expect(before.map(({ standing }) => standing !== undefined)).toEqual([true, true, true]);
    const asked: Promise<unknown>[] = [];
    await it.away(async () => {
      const ended = golden.run(site.id, NEVER).catch((error: unknown) => error);
      asked.push(ended);
      await Promise.race([ended, Bun.sleep(50)]);
    });
    const [ended] = await Promise.all(asked);
    if (ended instanceof AppError) expect(ended.code).toBe("unavailable");
    else expect(ended).toEqual(before);
    expect(await golden.run(site.id, NEVER)).toEqual(before);
  });
});
