import { z } from "zod";

// Describes the input and output of a searching process: JSON between two processes.

/** Docent and the libraries that it is compared with; those of Python run where there is Python. */
export const ENGINES = ["docent", "fts5", "minisearch", "bm25s", "tantivy", "lancedb"] as const;
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
  /** Docent's vectors of those passages, and then of the questions. */
  vectors: z.string(),
  dimensions: z.number(),
  questions: z.array(z.string()),
  /**
   * `vectors` writes that file; the others search; for `profile`, the process is started with a profiler.
   */
  work: z.enum(["vectors", "latency", "rank", "profile"]),
});
export type RetrievalSpec = z.infer<typeof retrievalSpec>;

export const latencyReply = z.object({
  /** The time to make the index; for Docent, to open it. */
  openSeconds: z.number(),
  residentMb: z.number(),
  /** On the disk; null for an index in memory alone. */
  bytes: z.number().nullable(),
  /** The processor time of a search, of all threads. */
  cpuMs: z.number(),
  aloneMs: z.array(z.number()),
  /** From the moment a query was due to its answer; empty for an engine that is much too slow for that. */
  underLoadMs: z.array(z.number()),
  /** How late a timer was while queries came; empty for an engine without an event loop. */
  lagMs: z.array(z.number()),
  /** For each question to Docent, the longest time in which its search let nothing else run. */
  heldMs: z.array(z.number()),
});
export type LatencyReply = z.infer<typeof latencyReply>;

/** For each question, the paths of the results, best first. */
export const rankReply = z.array(z.array(z.string()));

export const vectorsReply = z.object({ dimensions: z.number() });

/** When the searches ran, in milliseconds since 1970. */
export const profileReply = z.object({ from: z.number(), until: z.number(), searches: z.number() });
