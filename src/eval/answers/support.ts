import { createSupport, supportOf } from "../../answer/support/support.ts";
import type { Supports } from "./scores.ts";

/** Whether a passage carries a sentence by its words, or has the code line by line: what answers themselves go by. */
export const supports: Supports = ({ text: said, isCode }, { title, headings, text }) => {
  const passages = [{ number: 1, title, headings, text }];
  const found = isCode ? createSupport(passages).ofCode(said) : supportOf(said, passages);
  return found.length > 0;
};
