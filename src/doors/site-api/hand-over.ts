import type { HandOver } from "@docent/answering/handover/handover";
import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { storableText } from "../request/fields.ts";
import { atOnce } from "./at-once.ts";

const EMAIL = /^[^\s@<>()]+@[^\s@<>()]+$/;
const isOneLine = (text: string) => !/[\p{Cc}\p{Cf}]/u.test(text);

const handOverSchema = z
  .object({
    threadId: z.string().min(1).max(200),
    name: z.string().trim().max(200).refine(isOneLine, "must be one line").default(""),
    email: z.string().trim().max(254).regex(EMAIL, "must be an e-mail address"),
    message: z.string().trim().max(5000).default(""),
  })
  .meta({ id: "HandOver" });

/** Hands a conversation over to a person. */
export const handOverOperation = (
  guard: Guard<Guarded>,
  handOver: HandOver,
  publicUrl: () => string,
): Operation =>
  operation({
    id: "handOver",
    method: "POST",
    path: "/v1/hand-over/:domain",
    tag: "Feedback",
    guard,
    isInDiscovery: true,
    summary: "Hand a conversation over to a person",
    description:
      "The conversation goes to the webhook or the e-mail address that the site's owner has set, with what its reader says. " +
      "Docent keeps neither the name nor the address. Where the site hands nothing over, or has no such conversation, " +
      "nothing is found.",
    body: handOverSchema,
    example: {
      threadId: "01KT0000000000000000000002",
      name: "Ada Byron",
      email: "ada@example.com",
      message: "The page about backups does not say how to restore one table.",
    },
    replies: gives(204, "It was delivered."),
    run: atOnce(async ({ site, reader, body }) => {
      const { threadId, name, email, message } = await body();
      await handOver.send(site, {
        threadId,
        readerId: reader.id,
        reader: { name, email },
        message: storableText(message),
        serverUrl: publicUrl(),
      });
    }),
  });
