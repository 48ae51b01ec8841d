import { now } from "./clock.ts";

// Makes the fake model's text: words that contain their number and the time they were sent.

const STAMPED = /t(\d+)is([\d.]+)_/g;

/**
 * The end is marked, so that half a token is never read as a whole one. Letters stand between the numbers:
 * a sign such as @ would be taken for a mention, and changed.
 */
export const writeToken = (index: number): string => `t${index}is${now().toFixed(3)}_ `;

export interface Token {
  index: number;
  sentAt: number;
}

export function readTokens(text: string): Token[] {
  return [...text.matchAll(STAMPED)].map(([, index, sentAt]) => ({
    index: Number(index),
    sentAt: Number(sentAt),
  }));
}
