import { z } from "zod";

const foundSchema = z.object({
  content: z.string(),
  path: z.string(),
  title: z.string(),
  href: z.string(),
  score: z.number(),
});

const retrievedSchema = z.object({
  passageId: z.number(),
  path: z.string(),
  anchor: z.string(),
  relevance: z.number(),
});

/** An answer that a model wrote, as far as its reader saw it and its turn tells of it. */
export const cachedAnswerSchema = z.object({
  generation: z.number(),
  model: z.string(),
  /** What was searched for it. */
  query: z.string(),
  found: z.array(foundSchema),
  /** What the reader got, in its order: pieces of text as they were written, and sources. */
  written: z.array(z.union([z.string(), z.object({ id: z.string(), url: z.string(), title: z.string() })])),
  retrieved: z.array(retrievedSchema),
  cited: z.array(z.object({ passageId: z.number(), url: z.string() })),
  supportShare: z.number().optional(),
  /** Links in it stop working some time after that. */
  until: z.number().optional(),
});

export type CachedAnswer = z.infer<typeof cachedAnswerSchema>;

/** An answer that is to be kept. */
export interface NewCachedAnswer {
  siteId: number;
  /** The turn that it was written for. */
  turnId: string;
  /** Of all that the answer depends on besides the generation. */
  key: string;
  answer: CachedAnswer;
  at: number;
}

/** Keeps answers, to be given again. What is kept of one generation does not exist in any other. */
export interface AnswerCacheStore {
  /** The answer of that key, where readers still see the generation that it was written from. */
  find(siteId: number, key: string): Promise<CachedAnswer | undefined>;
  /** Notes that an answer was given again. Those that were given longest ago go first. */
  touch(siteId: number, key: string, at: number): Promise<void>;
  /**
   * Keeps an answer in the place of an earlier one of its key, and removes the site's answers of other generations. One
   * from a generation that readers no longer see is not kept, and none whose turn has been deleted meanwhile.
   */
  put(answer: NewCachedAnswer): Promise<void>;
  /** Removes all but this many answers. */
  trim(answersMax: number): Promise<void>;
}
