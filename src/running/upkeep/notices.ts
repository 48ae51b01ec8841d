import { statfs } from "node:fs/promises";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Condition, NoticeKind, Notices } from "@docent/sites/notices/notices";
import type { Site } from "@docent/sites/site/sites";
import type { Parts } from "../app/parts.ts";
import { alone, inTurn } from "./alone.ts";
import {
  answersCondition,
  backupCondition,
  diskCondition,
  gapsCondition,
  goldenCondition,
  isNews,
  isReportLate,
  sourceCondition,
} from "./conditions.ts";
import { generationConditions } from "./generation-conditions.ts";
import { repeat } from "./repeat.ts";

const WEEK_MS = 7 * DAY_MS;
/** Before another server would send again what this one could not note. */
const NOTE_MS = 15 * SECOND_MS;

export interface Looking {
  parts: Pick<Parts, "people" | "reports" | "answers" | "golden" | "sources" | "backups"> & {
    notices: Pick<Notices, "wants" | "note" | "told">;
  };
  directory: string;
  /** Where the server is reached from outside. */
  publicUrl: string;
  clock: Clock;
  log: Log;
  /** How much is left on the disk. */
  freeBytes?: (directory: string) => Promise<number>;
}

interface Watching extends Looking {
  parts: Looking["parts"] & Pick<Parts, "notices" | "storage">;
  lookMs?: number;
  slowLookMs?: number;
}

/** Looks for what people want to be told of, and tells them. One server at a time does. */
export function watchAndTell(watching: Watching) {
  const { parts, log, lookMs = MINUTE_MS, slowLookMs = HOUR_MS } = watching;
  const { takeOn } = parts.storage;
  const look = createLooks(watching);
  const often = (stops: AbortSignal) =>
    alone(takeOn, "notices", async (signal) => {
      await look.often(signal);
      await parts.notices.sendDue(signal, stops);
    })(stops);
  const first = Promise.withResolvers<void>();
  const all = [
    repeat({
      work: (signal) => often(signal).finally(first.resolve),
      everyMs: lookMs,
      onFailure: (error) => log.warn("not all notices could be made, sent and noted", reasonFields(error)),
    }),
    repeat({
      // Whichever server sends now.
      work: () => parts.notices.noteSent(),
      everyMs: NOTE_MS,
      // It was logged where they were sent.
      onFailure: () => {},
    }),
    repeat({
      // Another server may be looking, or sending: one that comes behind it finds what was noted. So does this server's
      // other look, which is left out while this one goes on: it comes first, and what is due goes out at the start.
      async work(signal) {
        await first.promise;
        signal.throwIfAborted();
        await inTurn(takeOn, "notices", look.seldom)(signal);
      },
      everyMs: slowLookMs,
      onFailure: (error) => log.warn("what notices are about could not be looked at", reasonFields(error)),
    }),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

/** The looks by themselves: at what costs nothing, and at what reads much of a site. */
export function createLooks(watching: Looking) {
  const { parts, directory, publicUrl, freeBytes = freeBytesAt } = watching;
  const { notices, backups, reports, answers, sources } = parts;
  const serverUrl = `${publicUrl}/server`;

  async function server(): Promise<void> {
    const looked = (kind: NoticeKind) => ({ kind, site: undefined });
    if (await notices.wants("backup-failed"))
      await notices.note(looked("backup-failed"), backupCondition(backups.overview(), serverUrl));
    if (await notices.wants("disk-full"))
      await notices.note(looked("disk-full"), [
        diskCondition(directory, await freeBytes(directory), serverUrl),
      ]);
  }

  async function sourcesOf(site: Site, url: string): Promise<void> {
    const listed = await sources.ofSites.list(site.id);
    const conditions = listed.map((source) =>
      sourceCondition(source, site, `${url}/content/sources/${source.id}`),
    );
    await notices.note({ kind: "source-failing", site }, conditions);
  }

  return {
    async often(signal: AbortSignal): Promise<void> {
      await server();
      if (await notices.wants("source-failing")) await onSites(watching, signal, sourcesOf);
      if (await notices.wants("golden-worse"))
        await onSites(watching, signal, (site, url) => noteWorsened(watching, site, url));
      if (await notices.wants("generation-report"))
        await onSites(watching, signal, (site, url) => noteGenerations(watching, site, url));
    },

    async seldom(signal: AbortSignal): Promise<void> {
      if (await notices.wants("answer-stale"))
        await onSites(watching, signal, async (site, url) => {
          const reviewed = await answers.curated.review(site);
          await notices.note(
            { kind: "answer-stale", site },
            answersCondition(reviewed, site, `${url}/answers`),
          );
        });
      if (await notices.wants("gaps-growing"))
        await onSites(watching, signal, async (site, url) => {
          const growth = await reports.gaps.growth(site.id, WEEK_MS);
          await notices.note({ kind: "gaps-growing", site }, gapsCondition(growth, site, `${url}/gaps`));
        });
    },
  };
}

/** Runs are published by processes of their own, so that what they leave behind is looked at. */
async function noteWorsened(
  { parts: { golden, notices }, clock }: Looking,
  site: Site,
  url: string,
): Promise<void> {
  const now = clock();
  const conditions: Condition[] = [];
  for (const worsened of await golden.worsened(site.id)) {
    const hasReport = isNews(worsened.at, now) && (await golden.hasReport(site.id, worsened.number));
    conditions.push(goldenCondition(worsened, site, { url, hasReport, now }));
  }
  await notices.note({ kind: "golden-worse", site }, conditions);
}

/** The same for what each generation changed, and for whether readers still see that. */
async function noteGenerations(watching: Looking, site: Site, url: string): Promise<void> {
  const { golden, notices } = watching.parts;
  const { clock } = watching;
  const looked = { kind: "generation-report", site } as const;
  const told = await notices.told(looked);
  const conditions: Condition[] = [];
  for (const generation of await latestReports(watching, site)) {
    const report = () => golden.reportForOthers(site.id, generation.number);
    conditions.push(...(await generationConditions({ generation, told, site, url, now: clock(), report })));
  }
  await notices.note(looked, conditions.toReversed());
}

/** A run that was killed once readers saw its generation has left no report: it is made up for. */
async function latestReports({ parts: { golden, sources }, clock }: Looking, { id }: Site) {
  const kept = await golden.latestReports(id);
  const visible = (await sources.generations.list(id)).find(({ isVisible }) => isVisible);
  if (visible === undefined || kept.some(({ number }) => number === visible.number)) return kept;
  const now = clock();
  if (!isNews(visible.finishedAt, now) || !isReportLate(visible.finishedAt, now)) return kept;
  await golden.makeUpReport(id, visible.number);
  return golden.latestReports(id);
}

/** Looks at every site. One that cannot be looked at stays as it was known, and keeps no other one back. */
async function onSites(
  { parts, publicUrl, log }: Looking,
  signal: AbortSignal,
  work: (site: Site, url: string) => Promise<void>,
): Promise<void> {
  const { sites } = parts.people;
  const names = new Map((await sites.listOrganizations()).map(({ id, name }) => [id, name]));
  for (const site of await sites.list()) {
    signal.throwIfAborted();
    const { organizationId, domain } = site;
    const place = ["dashboard", names.get(organizationId) ?? organizationId, domain].map(encodeURIComponent);
    try {
      await work(site, `${publicUrl}/${place.join("/")}`);
    } catch (error) {
      signal.throwIfAborted();
      log.warn("a site could not be looked at for notices", { site: domain, ...reasonFields(error) });
    }
  }
}

async function freeBytesAt(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
