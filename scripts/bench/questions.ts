// Holds the questions that measurements ask about Docent's own documentation.

/** Questions of a new reader. */
export const QUESTIONS = [
  "How do I add a site and read my docs into it?",
  "How do I take a backup and restore it on another machine?",
  "What do readers get when no model can answer?",
  "How many questions may one address ask in an hour?",
  "How do I keep a key from being used on other pages?",
  "What happens to an answer when Ollama is down?",
  "How do I serve Docent behind a reverse proxy under a path?",
  "Which files does Docent read, and how do I leave some out?",
  "How do I go back to the pages of an earlier run?",
  "How do I measure whether search finds the right page?",
] as const;

/** Conversations of three turns, each a follow-up. */
export const CONVERSATIONS = [
  [
    "How do I add a site and read my docs into it?",
    "And how do I read them again every night?",
    "What happens to pages that were removed since?",
  ],
  [
    "How do I take a backup of the server?",
    "And how do I restore it on another machine?",
    "Can the server run meanwhile?",
  ],
  [
    "Which model should I choose on a machine without a GPU?",
    "How much memory does it need?",
    "And how do I keep it loaded?",
  ],
  ["How do I create a key for my site?", "Where may that key be used?", "How do I revoke it again?"],
  [
    "How does Docent find the right page?",
    "What if the docs do not cover the question?",
    "How do I measure that with my own questions?",
  ],
] as const;
