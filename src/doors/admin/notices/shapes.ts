import {
  NOTICE_CHANNELS,
  NOTICE_KINDS,
  type noticeDestinationJson,
  noticeSiteSchema,
} from "@docent/sites/notices/notices";
import { z } from "zod";
import { moment } from "../../session/shapes.ts";

// The replies of the operations on notices.

export const noticeKindSchema = z.enum(NOTICE_KINDS).meta({ id: "NoticeKind" });
export const noticeChannelSchema = z.enum(NOTICE_CHANNELS).meta({ id: "NoticeChannel" });

const destinationFields = () =>
  z.object({
    id: z.string(),
    /** Whose it is; null: the server's own. */
    organizationId: z.string().nullable(),
    name: z.string(),
    channel: noticeChannelSchema,
    /** The e-mail address, or the host: whoever knows the whole address of a webhook may write there. */
    leadsTo: z.string(),
    kinds: z.array(noticeKindSchema),
    createdAt: moment.nullable(),
    /** How many notices are still to be sent. */
    waiting: z.int(),
    /** How many of the last thirty days could not be delivered. */
    givenUp: z.int(),
    /** How the last try ended. */
    last: z
      .object({ sent: z.boolean(), says: z.string(), at: moment.nullable() })
      .meta({ id: "NoticeTry" })
      .nullable(),
    /** Why nothing can be sent there at the moment. */
    fault: z.string().nullable(),
  }) satisfies z.ZodType<ReturnType<typeof noticeDestinationJson>>;

export const noticeDestinationShape = z.lazy(() => destinationFields().meta({ id: "NoticeDestination" }));
export const newNoticeDestinationShape = z.lazy(() =>
  destinationFields()
    .extend({
      /** What a webhook's notices are signed with: nobody is told it again. null for other channels. */
      secret: z.string().nullable(),
    })
    .meta({ id: "NewNoticeDestination" }),
);
export const triedNoticeShape = z.lazy(() =>
  z
    .object({
      sent: z.boolean(),
      /** What came back. */
      says: z.string(),
    })
    .meta({ id: "TriedNotice" }),
);

export const presentNoticesShape = z.lazy(() =>
  z
    .object({
      /** Whether the server sends no notices at all, because it is sealed. */
      sealed: z.boolean(),
      /** What destinations would be told of at this moment. */
      wrong: z.array(
        z
          .object({
            kind: noticeKindSchema,
            /** null: it is about the server. */
            site: noticeSiteSchema.nullable(),
            title: z.string(),
            text: z.string(),
            /** Where in the dashboard it is shown. */
            url: z.string().nullable(),
          })
          .meta({ id: "PresentNotice" }),
      ),
    })
    .meta({ id: "PresentNotices" }),
);
