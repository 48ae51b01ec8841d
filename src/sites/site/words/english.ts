import type { OwnWords } from "./shape.ts";

export const en: OwnWords = {
  phrases: {
    quoting: "This is what the documentation says, word for word:",
    touching: "The documentation doesn't say this outright. What comes nearest:",
    notCovered: "The documentation doesn't cover this.",
    nearest: "These pages come nearest:",
    contact: "You can ask here:",
    failed: "The answer broke off because of a problem on the server. Please try again.",
    cutOff: "The answer was cut off here because it became too long.",
    sources: "Sources:",
    pageNotFound: "There is no such page, or the link to it has expired.",
  },
  courtesies: {
    greeting: "Hello! What would you like to know? I look it up in the documentation.",
    thanks: "You’re welcome. Just ask if anything else is unclear.",
    self: "I’m a program that answers questions from this documentation, with links to where it says so.",
    empty: "Please write what you would like to know, in a few words.",
  },
};
