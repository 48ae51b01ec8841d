import type { Database } from "bun:sqlite";
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { NoticeStore } from "../../../notices/stores.ts";
import {
  fromDestination,
  fromQueued,
  type NoticeRecordRow,
  PUT_OFF_MS_MAX,
  toDestination,
  toQueued,
  toRecord,
  toSubject,
} from "../../rows/people/notices.ts";
import { noticeDestinations, noticeSubjects, notices } from "../../sql/tables/people.ts";
import { inOneWrite } from "../one-write.ts";
import { typed } from "../typed.ts";

export const NOTICE_QUERIES = {
  records: `
    SELECT destination_id AS destinationId, waiting, given_up AS givenUp, state, says, tried_at AS triedAt FROM (
      SELECT destination_id, state, says, tried_at,
        sum(next_try_at IS NOT NULL) OVER (PARTITION BY destination_id) AS waiting,
        sum(state = 'failed') OVER (PARTITION BY destination_id) AS given_up,
        row_number() OVER (PARTITION BY destination_id ORDER BY tried_at DESC, id DESC) AS place
      FROM notices)
    WHERE place = 1 ORDER BY destination_id`,
  removeOlder: `DELETE FROM notices WHERE id IN (
    SELECT id FROM notices WHERE made_at < $before ORDER BY made_at LIMIT $most)`,
};

/** Where notices go, what is wrong, and what is still to be said of it. */
export const createNoticeStore = (database: Database): NoticeStore => ({
  ...createDestinations(database),
  ...createQueue(database),
});

type Destinations = Pick<
  NoticeStore,
  "destinations" | "addDestination" | "changeDestination" | "removeDestination"
>;

function createDestinations(database: Database): Destinations {
  const db = typed(database);
  const isIt = (id: string) => eq(noticeDestinations.id, id);
  return {
    async destinations() {
      const order = [asc(noticeDestinations.createdAt), asc(noticeDestinations.id)];
      return db
        .select()
        .from(noticeDestinations)
        .orderBy(...order)
        .all()
        .map(toDestination);
    },
    async addDestination(destination, most) {
      const owner = destination.organizationId;
      const isTheirs =
        owner === undefined
          ? isNull(noticeDestinations.organizationId)
          : eq(noticeDestinations.organizationId, owner);
      return inOneWrite(database, () => {
        const has = db.select({ has: count() }).from(noticeDestinations).where(isTheirs).get()?.has ?? 0;
        if (has >= most) return false;
        db.insert(noticeDestinations).values(fromDestination(destination)).run();
        return true;
      });
    },
    async changeDestination(id, { name, kinds }) {
      const values = { name, kindsJson: JSON.stringify(kinds) };
      const changed = db.update(noticeDestinations).set(values).where(isIt(id)).returning().get();
      return changed !== undefined;
    },
    async removeDestination(id) {
      return db.delete(noticeDestinations).where(isIt(id)).returning().get() !== undefined;
    },
  };
}

function createQueue(database: Database): Omit<NoticeStore, keyof Destinations> {
  const db = typed(database);
  return {
    async subjects(kind, siteId) {
      const isThere =
        siteId === undefined ? isNull(noticeSubjects.siteId) : eq(noticeSubjects.siteId, siteId);
      return db
        .select()
        .from(noticeSubjects)
        .where(and(isThere, eq(noticeSubjects.kind, kind)))
        .orderBy(asc(noticeSubjects.id))
        .all()
        .map(toSubject);
    },
    async note({ bad, over }, queued, waitingMax) {
      return inOneWrite(database, () => {
        db.delete(noticeSubjects)
          .where(inArray(noticeSubjects.id, [...over]))
          .run();
        for (const { siteId = null, ...subject } of bad) {
          const { since, toldAt } = subject;
          db.insert(noticeSubjects)
            .values({ ...subject, siteId })
            .onConflictDoUpdate({ target: noticeSubjects.id, set: { since, toldAt } })
            .run();
        }
        let leftOut = 0;
        for (const each of queued) {
          const isWaiting = and(eq(notices.destinationId, each.destinationId), isNotNull(notices.nextTryAt));
          const waiting = db.select({ has: count() }).from(notices).where(isWaiting).get()?.has ?? 0;
          if (waiting >= waitingMax) leftOut++;
          else db.insert(notices).values(fromQueued(each)).run();
        }
        return leftOut;
      });
    },
    async due(now, most) {
      return db
        .select()
        .from(notices)
        .where(or(lte(notices.nextTryAt, now), gt(notices.nextTryAt, now + PUT_OFF_MS_MAX)))
        .orderBy(asc(notices.nextTryAt), asc(notices.id))
        .limit(most)
        .all()
        .map(toQueued);
    },
    async setTry(id, { tries, state, nextTryAt = null, says = null, triedAt = null }) {
      db.update(notices).set({ tries, state, nextTryAt, says, triedAt }).where(eq(notices.id, id)).run();
    },
    async records() {
      return database.query<NoticeRecordRow, []>(NOTICE_QUERIES.records).all().map(toRecord);
    },
    async removeOlder(before, most) {
      return database.query(NOTICE_QUERIES.removeOlder).run({ before, most }).changes;
    },
  };
}
