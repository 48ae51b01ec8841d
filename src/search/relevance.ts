/** What is known of a passage that was found. */
export interface Evidence {
  /** How much of what the question's words tell is in the passage, from 0 to 1. */
  covered: number;
  /** How near its meaning is; undefined where there are no vectors to say. */
  similarity: number | undefined;
}

/** From 0 to 1: how sure it is that a passage answers what was asked. */
export function relevanceOf({ covered }: Evidence): number {
  return covered;
}
