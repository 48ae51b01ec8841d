import type { NoticeStore } from "../../../notices/stores.ts";
import {
  type BadSubjectRow,
  fromDestination,
  fromQueued,
  type NoticeDestinationRow,
  type NoticeRecordRow,
  PUT_OFF_MS_MAX,
  type QueuedNoticeRow,
  toDestination,
  toQueued,
  toRecord,
  toSubject,
} from "../../rows/people/notices.ts";
import type { Database } from "../database/database.ts";

const DESTINATIONS = `
  SELECT id, organization_id, name, channel, address, secret, kinds_json, created_at FROM notice_destinations
  ORDER BY created_at, id`;
/** Two that are added at the same time are counted one behind the other. */
const LOCK_DESTINATIONS = "LOCK TABLE notice_destinations IN SHARE ROW EXCLUSIVE MODE";
const ADD = `
  INSERT INTO notice_destinations (id, organization_id, name, channel, address, secret, kinds_json, created_at)
  SELECT $id::text, $organizationId::text, $name::text, $channel::text, $address::text, $secret::text, $kindsJson::text,
    $createdAt::bigint
  WHERE (SELECT count(*) FROM notice_destinations
    WHERE organization_id IS NOT DISTINCT FROM $organizationId::text) < $most`;
const CHANGE = "UPDATE notice_destinations SET name = $name, kinds_json = $kindsJson WHERE id = $id";
const REMOVE = "DELETE FROM notice_destinations WHERE id = $id";
const SUBJECTS = `
  SELECT id, kind, site_id, since, told_at FROM notice_subjects
  WHERE kind = $kind AND site_id IS NOT DISTINCT FROM $siteId::int ORDER BY id`;
const OVER = "DELETE FROM notice_subjects WHERE id = ANY($over::text[])";
const BAD = `
  INSERT INTO notice_subjects (id, kind, site_id, since, told_at) VALUES ($id, $kind, $siteId, $since, $toldAt)
  ON CONFLICT (id) DO UPDATE SET since = excluded.since, told_at = excluded.told_at`;
const COLUMNS = "id, destination_id, notice_json, made_at, tries, next_try_at, state, says, tried_at";
const QUEUE = `
  INSERT INTO notices (${COLUMNS})
  SELECT $id::text, $destinationId::text, $noticeJson::text, $madeAt::bigint, $tries::int, $nextTryAt::bigint,
    $state::text, $says::text, $triedAt::bigint
  WHERE (SELECT count(*) FROM notices WHERE destination_id = $destinationId AND next_try_at IS NOT NULL) < $waitingMax`;
const DUE = `
  SELECT ${COLUMNS} FROM notices WHERE next_try_at <= $now OR next_try_at > $ahead ORDER BY next_try_at, id LIMIT $most`;
const SET_TRY = `
  UPDATE notices SET tries = $tries, next_try_at = $nextTryAt, state = $state, says = $says, tried_at = $triedAt
  WHERE id = $id`;
const RECORDS = `
  SELECT destination_id, waiting, given_up, state, says, tried_at FROM (
    SELECT destination_id, state, says, tried_at,
      (count(next_try_at) OVER (PARTITION BY destination_id))::int AS waiting,
      (count(*) FILTER (WHERE state = 'failed') OVER (PARTITION BY destination_id))::int AS given_up,
      row_number() OVER (PARTITION BY destination_id ORDER BY tried_at DESC NULLS LAST, id DESC) AS place
    FROM notices) AS tried
  WHERE place = 1 ORDER BY destination_id`;
const REMOVE_OLDER = `
  DELETE FROM notices WHERE id IN (
    SELECT id FROM notices WHERE made_at < $before ORDER BY made_at LIMIT $most)`;

/** Where notices go, what is wrong, and what is still to be said of it. */
export function createNoticeStore(database: Database): NoticeStore {
  return {
    async destinations() {
      return (await database.all<NoticeDestinationRow>(DESTINATIONS)).map(toDestination);
    },
    addDestination: (destination, most) =>
      database.inOneWrite(async (write) => {
        await write.run(LOCK_DESTINATIONS);
        return (await write.run(ADD, { ...fromDestination(destination), most })) === 1;
      }),
    async changeDestination(id, { name, kinds }) {
      return (await database.run(CHANGE, { id, name, kindsJson: JSON.stringify(kinds) })) === 1;
    },
    async removeDestination(id) {
      return (await database.run(REMOVE, { id })) === 1;
    },
    async subjects(kind, siteId = undefined) {
      const rows = await database.all<BadSubjectRow>(SUBJECTS, { kind, siteId: siteId ?? null });
      return rows.map(toSubject);
    },
    note: ({ bad, over }, queued, waitingMax) =>
      database.inOneWrite(async (write) => {
        await write.run(OVER, { over: [...over] });
        for (const { siteId = null, ...subject } of bad) await write.run(BAD, { ...subject, siteId });
        let leftOut = 0;
        for (const each of queued)
          leftOut += 1 - (await write.run(QUEUE, { ...fromQueued(each), waitingMax }));
        return leftOut;
      }),
    async due(now, most) {
      return (await database.all<QueuedNoticeRow>(DUE, { now, ahead: now + PUT_OFF_MS_MAX, most })).map(
        toQueued,
      );
    },
    async setTry(id, { tries, state, nextTryAt = null, says = null, triedAt = null }) {
      await database.run(SET_TRY, { id, tries, state, nextTryAt, says, triedAt });
    },
    async records() {
      return (await database.all<NoticeRecordRow>(RECORDS)).map(toRecord);
    },
    removeOlder: (before, most) => database.run(REMOVE_OLDER, { before, most }),
  };
}
