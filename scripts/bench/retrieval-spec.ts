import { z } from "zod";

// Describes the input and output of a searching process: JSON between two processes.

export const ENGINES = ["docent", "minisearch", "orama"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A passage, as every engine gets it. */
export const passageSchema = z.object({
  path: z.string(),
  title: z.string(),
  headings: z.string(),
  text: z.string(),
});
export type BenchPassage = z.infer<typeof passageSchema>;

export const retrievalSpec = z.object({
  engine: z.enum(ENGINES),
  /** Docent's data directory, whose index is searched. */
  data: z.string(),
  /** The folder that Docent reads. */
  pages: z.string(),
  /** The same pages cut into passages, as JSON lines, for the other libraries. */
  passages: z.string(),
  questions: z.array(z.string()),
  /** `index` reads the pages into Docent's data directory; the others search. */
  work: z.enum(["index", "latency", "rank"]),
});
export type RetrievalSpec = z.infer<typeof retrievalSpec>;

export const indexReply = z.object({
  seconds: z.number(),
  againSeconds: z.number(),
  passages: z.number(),
  bytes: z.number(),
  beforeMb: z.number(),
  peakMb: z.number(),
  afterMb: z.number(),
});
export type IndexReply = z.infer<typeof indexReply>;

export const latencyReply = z.object({
  /** The time to make the index; for Docent, to open it. */
  openSeconds: z.number(),
  residentMb: z.number(),
  aloneMs: z.array(z.number()),
  /** From the moment a query was due to its answer. */
  underLoadMs: z.array(z.number()),
  /** How late a timer was while queries came. */
  lagMs: z.array(z.number()),
});
export type LatencyReply = z.infer<typeof latencyReply>;

/** For each question, the paths of the results, best first. */
export const rankReply = z.array(z.array(z.string()));
