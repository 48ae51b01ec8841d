import type { NumberedPassage, ResponderRequest } from "../../src/answering/answer/responder.ts";

/** What a responder is asked, with as much as a test cares about. */
export const responderRequest = (more: Partial<ResponderRequest> = {}): ResponderRequest => ({
  question: "How do I install it?",
  asker: { siteId: 1, reader: "reader" },
  siteName: "Acme",
  instructions: "",
  notCovered: "The documentation doesn't cover this.",
  language: "en",
  quoting: "Quoted:",
  touching: "Touched on:",
  history: [],
  passages: [],
  contexts: [],
  images: [],
  ...more,
});

/** A passage of a page. */
export const numberedPassage = (
  number: number,
  text: string,
  more: Partial<NumberedPassage> = {},
): NumberedPassage => ({
  number,
  text,
  title: `Page ${number}`,
  headings: [],
  url: `https://docs.example/${number}`,
  relevance: 1,
  ...more,
});
