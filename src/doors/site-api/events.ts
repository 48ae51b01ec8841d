import { EVENT_TYPES, type Events } from "@docent/measuring/analytics";
import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { pathWithin } from "../messages/question.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { storableText } from "../request/fields.ts";
import { atOnce } from "./at-once.ts";

const id = z.string().max(200).nullish();

const eventSchema = z
  .object({
    type: z.enum(EVENT_TYPES),
    query: z.string().max(1000).nullish(),
    path: z.string().max(2000),
    threadId: id,
    messageId: id,
  })
  .meta({ id: "Event" });

/** Notes what a reader clicked. */
export const eventOperation = (guard: Guard<Guarded>, events: Events): Operation =>
  operation({
    id: "noteEvent",
    method: "POST",
    path: "/v1/events/:domain",
    tag: "Feedback",
    guard,
    isInDiscovery: true,
    summary: "Tell what a reader clicked",
    body: eventSchema,
    example: { type: "search_click", query: "install", path: "guide/install" },
    replies: gives(204, "It is noted."),
    run: atOnce(async ({ site, reader, body }) => {
      const { type, query, path, threadId, messageId } = await body();
      await events.add(site.id, {
        type,
        query: query == null ? undefined : storableText(query),
        path: pathWithin(site, path),
        threadId: threadId ?? undefined,
        messageId: messageId ?? undefined,
        readerId: reader.id,
      });
    }),
  });
