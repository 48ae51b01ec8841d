import { z } from "zod";
import { NOTICE_KINDS, NOTICE_STATES, type Notice, textOf } from "./notice.ts";

/** Of the site that a notice is about. */
export const noticeSiteSchema = z.lazy(() =>
  z.object({ domain: z.string(), name: z.string() }).meta({ id: "NoticeSite" }),
);

/** A notice as a webhook is sent it. */
export const noticePayloadSchema = z.lazy(() =>
  z.object({
    type: z.literal("notice"),
    /** One that came before is the same notice. */
    id: z.string(),
    /** `test` is a sample. */
    kind: z.enum([...NOTICE_KINDS, "test"]),
    state: z.enum(NOTICE_STATES),
    /** null: it is about the server. */
    site: noticeSiteSchema.nullable(),
    title: z.string(),
    /** The title, the text and the address, as a person reads them. */
    text: z.string(),
    /** Where in the dashboard it is shown. */
    url: z.string().nullable(),
    at: z.iso.datetime(),
    report: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** The notice as a program reads it. */
export function payloadOf(notice: Notice): z.output<typeof noticePayloadSchema> {
  const { id, kind, state, site, title, url, at, report } = notice;
  return {
    type: "notice",
    id,
    kind,
    state,
    site: site ?? null,
    title,
    text: `${title}\n\n${textOf(notice)}`,
    url: url ?? null,
    at: new Date(at).toISOString(),
    ...(report === undefined ? {} : { report: { ...report } }),
  };
}
