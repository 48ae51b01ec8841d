import { NOTICE_KINDS, noticePayloadSchema } from "@docent/sites/notices/notices";
import { z } from "zod";
import { generationReportShape } from "../admin/golden/shapes.ts";
import type { SchemaWriter } from "./json-schema.ts";

const ofReport = "generation-report";

/** What is sent when something goes wrong, and when it is well again. */
const noticeShape = z.lazy(() =>
  noticePayloadSchema
    .unwrap()
    .omit({ report: true })
    .extend({
      // Generators of clients would call it by the place where it stands, which is the name of another.
      kind: z
        .enum([...NOTICE_KINDS, "test"])
        .exclude([ofReport])
        .meta({ id: "SentNoticeKind" }),
      state: z.enum(["bad", "well"]),
    })
    .meta({ id: "Notice" }),
);
/** What is sent of each generation that changes something for readers. */
const generationNoticeShape = z.lazy(() =>
  noticePayloadSchema
    .unwrap()
    .extend({
      kind: z.literal(ofReport),
      state: z.enum(["news", "undone"]),
      report: generationReportShape,
    })
    .meta({ id: "GenerationNotice" }),
);

/** A request that this server sends, to an address that somebody has named. */
export interface Webhook {
  /** Its name in the document. */
  name: string;
  summary: string;
  description: string;
  body: z.ZodType;
}

const SIGNED =
  "Check `x-docent-signature` with the destination's secret before anything else. A notice that is not taken is sent again, with the same `id`.";

export const WEBHOOKS: readonly Webhook[] = [
  {
    name: "notice",
    summary: "Something is wrong, or well again",
    description: `Sent to destinations of notices whose channel is \`webhook\`. ${SIGNED}`,
    body: noticeShape,
  },
  {
    name: "generationReport",
    summary: "A generation changed something for readers, or was taken back",
    description: `Sent to destinations of notices whose channel is \`webhook\`, and that ask for \`${ofReport}\`. At most 100 pages of each kind are named, and no reader's words are in it. ${SIGNED}`,
    body: generationNoticeShape,
  },
];

/** The `webhooks` of the document, by their names. */
export const describeWebhooks = (writer: SchemaWriter) =>
  Object.fromEntries(WEBHOOKS.map((each) => [each.name, { post: describeWebhook(each, writer) }]));

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const HEADERS = [
  header("x-docent-notice", "The notice's `id`."),
  header("x-docent-timestamp", "When it was made, in seconds since 1970."),
  header(
    "x-docent-signature",
    "`sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a dot and the body.",
  ),
];

const describeWebhook = ({ name, summary, description, body }: Webhook, writer: SchemaWriter) => ({
  operationId: `receive${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  tags: ["Admin: notices"],
  summary,
  description,
  security: [],
  parameters: HEADERS,
  requestBody: { required: true, content: { "application/json": { schema: writer.write(body, "output") } } },
  responses: { "2XX": { description: "It is taken, whatever the reply says." } },
});
