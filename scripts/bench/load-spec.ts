import { z } from "zod";

// Describes the input and output of the load generator: JSON between two processes.

const asked = z.object({
  url: z.string(),
  method: z.enum(["GET", "POST"]),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

export const loadSpec = z.discriminatedUnion("kind", [
  /** This many streams at once, each on its own connection. */
  z.object({ kind: z.literal("streams"), asked, streams: z.number() }),
  /** One after the other on each connection, for this long. */
  z.object({ kind: z.literal("requests"), asked, connections: z.number(), seconds: z.number() }),
  /** The same, of several servers: each connection is one server's, and sends its requests in turns. */
  z.object({
    kind: z.literal("spread"),
    servers: z.array(z.array(asked)),
    connections: z.number(),
    seconds: z.number(),
  }),
  /** One after the other at fixed times, whether earlier ones have been answered or not. */
  z.object({
    kind: z.literal("schedule"),
    asked: z.array(asked),
    perSecond: z.number(),
    seconds: z.number(),
  }),
]);

export type LoadSpec = z.infer<typeof loadSpec>;

/** Times are milliseconds after the request was sent. */
const stream = z.object({
  status: z.number(),
  firstByteMs: z.number(),
  /** From the model's first token; null where none came. */
  firstTokenMs: z.number().nullable(),
  totalMs: z.number(),
  /** From sending a token in the model to its arrival here. */
  lagsMs: z.array(z.number()),
  /** Whether every token came exactly once, in order. */
  inOrder: z.boolean(),
});

export const streamsReply = z.object({ streams: z.array(stream), seconds: z.number() });
export const requestsReply = z.object({
  seconds: z.number(),
  statuses: z.record(z.string(), z.number()),
  latenciesMs: z.array(z.number()),
});

export const scheduleReply = z.object({
  statuses: z.record(z.string(), z.number()),
  /** From the moment at which each was due to the end of its reply. */
  latenciesMs: z.array(z.number()),
});

export type StreamResult = z.infer<typeof stream>;
