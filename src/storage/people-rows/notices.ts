import { DAY_MS } from "@docent/kernel/lib/clock";
import {
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  NOTICE_STATES,
  type Notice,
  type NoticeDestination,
  type NoticeKind,
} from "@docent/sites/notices/notice";
import type { BadSubject, QueuedNotice } from "@docent/sites/notices/stores";
import { z } from "zod";
import { fieldsOf, type RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";

/** No notice waits as long for its next try. */
export const PUT_OFF_MS_MAX = DAY_MS;

/** A destination with its kinds as JSON. */
export interface NoticeDestinationRow extends Omit<RowOf<NoticeDestination>, "kinds" | "channel"> {
  channel: string;
  kindsJson: string;
}

export interface BadSubjectRow extends Omit<RowOf<BadSubject>, "kind"> {
  kind: string;
}

/** A queued notice with what it says as JSON. */
export interface QueuedNoticeRow extends Omit<RowOf<QueuedNotice>, "notice" | "state"> {
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
export const readKinds = (json: string): NoticeKind[] => readStrings(json).filter(isKind);

export const toDestination = ({ kindsJson, channel, ...row }: NoticeDestinationRow): NoticeDestination => ({
  ...row,
  organizationId: row.organizationId ?? undefined,
  secret: row.secret ?? undefined,
  channel: channelSchema.parse(channel),
  kinds: readKinds(kindsJson),
});

export const fromDestination = ({ kinds, ...destination }: NoticeDestination): NoticeDestinationRow => ({
  ...destination,
  organizationId: destination.organizationId ?? null,
  secret: destination.secret ?? null,
  kindsJson: JSON.stringify(kinds),
});

export const toSubject = ({ kind, ...row }: BadSubjectRow): BadSubject => ({
  ...row,
  siteId: row.siteId ?? undefined,
  kind: kindSchema.parse(kind),
});

export function toQueued({ noticeJson, state, ...row }: QueuedNoticeRow): QueuedNotice {
  const { site, url, ...notice } = noticeSchema.parse(JSON.parse(noticeJson));
  const whole: Notice = { ...notice, site, url };
  return { ...fieldsOf(row), notice: whole, state: stateSchema.parse(state) };
}

export const fromQueued = ({ notice, ...queued }: QueuedNotice): QueuedNoticeRow => ({
  ...queued,
  nextTryAt: queued.nextTryAt ?? null,
  says: queued.says ?? null,
  triedAt: queued.triedAt ?? null,
  noticeJson: JSON.stringify(notice),
});

/** What became of the last try of each destination, and how many wait there or were given up. */
export interface NoticeRecordRow {
  destinationId: string;
  waiting: number;
  givenUp: number;
  state: string | null;
  says: string | null;
  triedAt: number | null;
}

export const toRecord = ({ destinationId, waiting, givenUp, state, says, triedAt }: NoticeRecordRow) => ({
  destinationId,
  waiting,
  givenUp,
  last:
    state === null
      ? undefined
      : { state: stateSchema.parse(state), says: says ?? undefined, triedAt: triedAt ?? undefined },
});
