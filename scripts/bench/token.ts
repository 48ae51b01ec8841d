import { now } from "./clock.ts";

// Makes the fake model's text: words that contain their number and the time they were sent.

const STAMPED = /t(\d+)@([\d.]+)_/g;

/** The end is marked, so that half a token is never read as a whole one. */
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
