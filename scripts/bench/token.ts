import { now } from "./clock.ts";

// What the fake model writes: words that say which one they are, and when they were sent.

const STAMPED = /t(\d+)@([\d.]+)_/g;

/** Its end is marked, so that half a token is never read as a whole one. */
export const writeToken = (index: number): string => `t${index}@${now().toFixed(3)}_ `;

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
