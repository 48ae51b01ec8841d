import type { FeedbackDesk } from "@docent/measuring/analytics";
import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { storableText } from "../request/fields.ts";
import { atOnce } from "./at-once.ts";

const id = z.string().min(1).max(200);

const feedbackSchema = z
  .object({ messageId: id, threadId: id, helpful: z.boolean(), comment: z.string().max(5000).nullish() })
  .meta({ id: "Opinion" });

/** Notes whether an answer helped. */
export const feedbackOperation = (guard: Guard<Guarded>, feedback: Pick<FeedbackDesk, "give">): Operation =>
  operation({
    id: "giveFeedback",
    method: "POST",
    path: "/v1/feedback/:domain",
    tag: "Feedback",
    guard,
    isInDiscovery: true,
    summary: "Say whether an answer helped",
    description: "What is said later takes the place of what was said before.",
    body: feedbackSchema,
    example: {
      messageId: "01KT0000000000000000000001",
      threadId: "01KT0000000000000000000002",
      helpful: false,
      comment: "It does not say where the file is.",
    },
    replies: gives(204, "It is noted."),
    run: atOnce(async ({ site, reader, body }) => {
      const { messageId, threadId, helpful, comment } = await body();
      const said = comment == null ? undefined : storableText(comment);
      await feedback.give(site.id, { messageId, threadId, readerId: reader.id, helpful, comment: said });
    }),
  });
