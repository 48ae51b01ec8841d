import type { AttachedImage } from "../../answer/responder.ts";

/** What a picture costs is decided inside the model, from a few hundred tokens to this. */
const TOKENS_PER_PICTURE = 1024;
const SHARE_OF_BUDGET = 0.5;

/** The pictures that a model gets, and what they are reckoned to cost of the prompt's budget. */
export function choosePictures(
  pictures: AttachedImage[],
  vision: boolean,
  budgetTokens: number,
): { pictures: AttachedImage[]; tokens: number } {
  const room = vision ? Math.floor((budgetTokens * SHARE_OF_BUDGET) / TOKENS_PER_PICTURE) : 0;
  const chosen = pictures.slice(0, room);
  return { pictures: chosen, tokens: chosen.length * TOKENS_PER_PICTURE };
}
