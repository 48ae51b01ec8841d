import { z } from "zod";
import { EVENT_TYPES, type Events } from "../../analytics/events.ts";
import { pathWithin } from "../messages/question.ts";
import { storableText } from "../request/fields.ts";
import type { Lookup } from "./site-api.ts";

const id = z.string().max(200).nullish();

/** The body of the event operation. */
export const eventSchema = z
  .object({
    type: z.enum(EVENT_TYPES),
    query: z.string().max(1000).nullish(),
    path: z.string().max(2000),
    threadId: id,
    messageId: id,
  })
  .meta({ id: "Event" });

/** `POST /v1/events/{domain}`: what a reader clicked. */
export function eventOperation(events: Events): Lookup<z.infer<typeof eventSchema>> {
  return {
    path: "/v1/events/:domain",
    meter: "events",
    schema: eventSchema,
    async run(site, { type, query, path, threadId, messageId }) {
      await events.add(site.id, {
        type,
        query: query == null ? undefined : storableText(query),
        path: pathWithin(site, path),
        threadId: threadId ?? undefined,
        messageId: messageId ?? undefined,
      });
    },
  };
}
