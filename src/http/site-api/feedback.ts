import { z } from "zod";
import type { FeedbackDesk } from "../../analytics/feedback.ts";
import { storableText } from "../request/fields.ts";
import type { Lookup } from "./site-api.ts";

const id = z.string().min(1).max(200);

/** The body of the feedback operation. */
export const feedbackSchema = z
  .object({
    messageId: id,
    threadId: id,
    helpful: z.boolean(),
    comment: z.string().max(5000).nullish(),
  })
  .meta({ id: "Opinion" });

/** `POST /v1/feedback/{domain}`: whether an answer helped. What is said later takes the place of what was said before. */
export function feedbackOperation(
  feedback: Pick<FeedbackDesk, "give">,
): Lookup<z.infer<typeof feedbackSchema>> {
  return {
    path: "/v1/feedback/:domain",
    meter: "feedback",
    schema: feedbackSchema,
    async run(site, { messageId, threadId, helpful, comment }) {
      const said = comment == null ? undefined : storableText(comment);
      await feedback.give(site.id, { messageId, threadId, helpful, comment: said });
    },
  };
}
