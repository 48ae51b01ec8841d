import { DAY_MS } from "@docent/kernel/lib/clock";
import {
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_STATES,
  type Notice,
  type NoticeDestination,
  type NoticeKind,
} from "@docent/sites/notices/notice";
import type { BadSubject, NoticeStore, QueuedNotice } from "@docent/sites/notices/stores";
import { z } from "zod";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";
import { run, runEach, type Sql } from "../sql/sql.ts";
import { insertInto, insertWhere, namesIn, select, statement } from "../sql/statement.ts";
import { noticeDestinations, noticeSubjects, notices } from "../tables/people.ts";

const DESTINATIONS = select(
  noticeDestinations,
  namesIn(noticeDestinations),
  "FROM notice_destinations ORDER BY created_at, id",
);
/** Two that are added at the same time are counted one behind the other. */
const LOCK_DESTINATIONS = statement(({ onPostgres }) =>
  onPostgres("LOCK TABLE notice_destinations IN SHARE ROW EXCLUSIVE MODE"),
);
const ADD = statement(
  insertWhere(
    noticeDestinations,
    `WHERE (SELECT count(*) FROM notice_destinations
    WHERE organization_id IS NOT DISTINCT FROM CAST($organizationId AS text)) < $most`,
  ),
);
const CHANGE = statement(
  "UPDATE notice_destinations SET name = $name, kinds_json = $kindsJson WHERE id = $id",
);
const REMOVE = statement("DELETE FROM notice_destinations WHERE id = $id");
const SUBJECTS = select(
  noticeSubjects,
  namesIn(noticeSubjects),
  `FROM notice_subjects
  WHERE kind = $kind AND site_id IS NOT DISTINCT FROM CAST($siteId AS integer) ORDER BY id`,
);
const OVER = statement((d) => `DELETE FROM notice_subjects WHERE ${d.isOneOf("id", "over", "text")}`);
const BAD = statement(`
  ${insertInto(noticeSubjects)}
  ON CONFLICT (id) DO UPDATE SET since = excluded.since, told_at = excluded.told_at`);
const QUEUE = statement(
  insertWhere(
    notices,
    `WHERE (
    SELECT count(*) FROM notices WHERE destination_id = $destinationId AND next_try_at IS NOT NULL) < $waitingMax`,
  ),
);
const DUE = select(
  notices,
  namesIn(notices),
  "FROM notices WHERE next_try_at <= $now OR next_try_at > $ahead ORDER BY next_try_at, id LIMIT $most",
);
const SET_TRY = statement(`
  UPDATE notices SET tries = $tries, next_try_at = $nextTryAt, state = $state, says = $says, tried_at = $triedAt
  WHERE id = $id`);
const RECORDS = statement<NoticeRecordRow>(`
  SELECT destination_id AS "destinationId", waiting, given_up AS "givenUp", state, says, tried_at AS "triedAt" FROM (
    SELECT destination_id, state, says, tried_at,
      count(next_try_at) OVER (PARTITION BY destination_id) AS waiting,
      count(*) FILTER (WHERE state = 'failed') OVER (PARTITION BY destination_id) AS given_up,
      row_number() OVER (PARTITION BY destination_id ORDER BY tried_at DESC NULLS LAST, id DESC) AS place
    FROM notices) AS tried
  WHERE place = 1 ORDER BY destination_id`);
const REMOVE_OLDER = statement(`
  DELETE FROM notices WHERE id IN (
    SELECT id FROM notices WHERE made_at < $before ORDER BY made_at LIMIT $most)`);

/** Where notices go, what is wrong, and what is still to be said of it. */
export function createNoticeStore(sql: Sql): NoticeStore {
  return {
    async destinations() {
      return (await sql.all(DESTINATIONS)).map(toDestination);
    },
    addDestination: (destination, most) =>
      sql.inOneWrite(function* () {
        yield* run(LOCK_DESTINATIONS);
        return (yield* run(ADD, { ...fromDestination(destination), most })) === 1;
      }),
    async changeDestination(id, { name, kinds }) {
      return (await sql.run(CHANGE, { id, name, kindsJson: JSON.stringify(kinds) })) === 1;
    },
    async removeDestination(id) {
      return (await sql.run(REMOVE, { id })) === 1;
    },
    async subjects(kind, siteId = undefined) {
      return (await sql.all(SUBJECTS, { kind, siteId })).map(toSubject);
    },
    note: ({ bad, over }, queued, waitingMax) =>
      sql.inOneWrite(function* () {
        yield* run(OVER, { over: [...over] });
        yield* runEach(
          BAD,
          bad.map(({ siteId, ...subject }) => ({ ...subject, siteId })),
        );
        let leftOut = 0;
        for (const each of queued) leftOut += 1 - (yield* run(QUEUE, { ...fromQueued(each), waitingMax }));
        return leftOut;
      }),
    async due(now, most) {
      return (await sql.all(DUE, { now, ahead: now + PUT_OFF_MS_MAX, most })).map(toQueued);
    },
    async setTry(id, { tries, state, nextTryAt, says, triedAt }) {
      await sql.run(SET_TRY, { id, tries, state, nextTryAt, says, triedAt });
    },
    async records() {
      return (await sql.all(RECORDS)).map(toRecord);
    },
    removeOlder: (before, most) => sql.run(REMOVE_OLDER, { before, most }),
  };
}

/** No notice waits as long for its next try. */
const PUT_OFF_MS_MAX = DAY_MS;

/** A destination with its kinds as JSON. */
interface NoticeDestinationRow extends Omit<RowOf<NoticeDestination>, "kinds" | "channel"> {
  channel: string;
  kindsJson: string;
}

interface BadSubjectRow extends Omit<RowOf<BadSubject>, "kind"> {
  kind: string;
}

/** A queued notice with what it says as JSON. */
interface QueuedNoticeRow extends Omit<RowOf<QueuedNotice>, "notice" | "state"> {
  noticeJson: string;
  state: string;
}

const channelSchema = z.enum(NOTICE_CHANNELS);
const kindSchema = z.enum(NOTICE_KINDS);
const stateSchema = z.enum(["waiting", "sent", "failed"]);
const noticeSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum([...NOTICE_KINDS, "test"]),
    state: z.enum(NOTICE_STATES),
    site: z.object({ domain: z.string(), name: z.string() }).optional(),
    title: z.string(),
    text: z.string(),
    url: z.string().optional(),
    at: z.number(),
    report: z.record(z.string(), z.unknown()).optional(),
  }),
);

const isKind = (kind: string): kind is NoticeKind => NOTICE_KINDS.some((each) => each === kind);

/** Kinds of a later version are left out. */
const readKinds = (json: string): NoticeKind[] => readStrings(json).filter(isKind);

const toDestination = ({ kindsJson, channel, ...row }: NoticeDestinationRow): NoticeDestination => ({
  ...row,
  organizationId: row.organizationId ?? undefined,
  secret: row.secret ?? undefined,
  channel: channelSchema.parse(channel),
  kinds: readKinds(kindsJson),
});

const fromDestination = ({ kinds, ...destination }: NoticeDestination): NoticeDestinationRow => ({
  ...destination,
  organizationId: destination.organizationId ?? null,
  secret: destination.secret ?? null,
  kindsJson: JSON.stringify(kinds),
});

const toSubject = ({ kind, ...row }: BadSubjectRow): BadSubject => ({
  ...row,
  siteId: row.siteId ?? undefined,
  kind: kindSchema.parse(kind),
});

function toQueued({ noticeJson, state, ...row }: QueuedNoticeRow): QueuedNotice {
  const { site, url, ...notice } = noticeSchema.parse(JSON.parse(noticeJson));
  const whole: Notice = { ...notice, site, url };
  return { ...fieldsOf(row), notice: whole, state: stateSchema.parse(state) };
}

const fromQueued = ({ notice, ...queued }: QueuedNotice): QueuedNoticeRow => ({
  ...queued,
  nextTryAt: queued.nextTryAt ?? null,
  says: queued.says ?? null,
  triedAt: queued.triedAt ?? null,
  noticeJson: JSON.stringify(notice),
});

/** What became of the last try of each destination, and how many wait there or were given up. */
interface NoticeRecordRow {
  destinationId: string;
  waiting: number;
  givenUp: number;
  state: string | null;
  says: string | null;
  triedAt: number | null;
}

const toRecord = ({ destinationId, waiting, givenUp, state, says, triedAt }: NoticeRecordRow) => ({
  destinationId,
  waiting,
  givenUp,
  last:
    state === null
      ? undefined
      : { state: stateSchema.parse(state), says: says ?? undefined, triedAt: triedAt ?? undefined },
});
