const FRAME = {
  open: "Ask",
  title: "Ask the docs",
  close: "Close",
  newConversation: "New conversation",
  greeting: "What are you looking for?",
  introduction: "Ask in your own words. The answer links to the docs.",
  starters: "Questions to start with",
  placeholder: "Ask a question…",
  send: "Send",
  stop: "Stop",
  disclaimer: "Answers come from {name}’s docs. Check what matters.",
} as const;

const SEARCH = {
  search: "Search the docs",
  searchPlaceholder: "Search, or ask a question…",
  askRow: "Ask: {query}",
  recent: "Recent",
  found: "Results: {count}",
  nothingFound: "Nothing was found for “{query}”.",
  allResults: "All results",
  searchFailed: "Search cannot be reached. Try again in a moment.",
  toChoose: "choose",
  toOpen: "open",
  toAsk: "ask",
} as const;

const ANSWER = {
  conversation: "Conversation",
  you: "You asked",
  assistant: "Answer",
  searching: "Searching the docs…",
  corrected: "Showing results for “{query}”.",
  searched: "Searched for “{query}”.",
  queued: "Number {position} in line…",
  thinking: "Thinking…",
  thoughts: "Thoughts",
  writing: "Writing…",
  answered: "The answer is complete.",
  stopped: "Stopped.",
  latest: "Go to the end",
  quoted: "Quoted from the docs",
  curated: "Written by the docs’ own team",
  sources: "Sources",
  source: "Source {number}: {title}",
  suggestions: "Read next",
  followUps: "Ask next",
} as const;

const ACTIONS = {
  copy: "Copy the answer",
  copyCode: "Copy the code",
  copied: "Copied",
  retry: "Try again",
  helpful: "Helpful",
  unhelpful: "Not helpful",
  comment: "What was wrong or missing?",
  sendComment: "Send",
  thanks: "Thank you.",
  person: "Ask a person",
  personName: "Your name",
  personEmail: "Your e-mail address",
  personMessage: "What do you need help with?",
  personNote: "The conversation is sent with it.",
  personSent: "It was sent. The answer comes by e-mail.",
  askAboutSelection: "Ask about this",
  askAboutCode: "Ask about this code",
  aboutSelection: "Selected text",
  aboutCode: "Code",
  removeContext: "Leave out",
  explain: "Explain this.",
} as const;

const TROUBLE = {
  offline: "You are offline.",
  notSent: "You are offline. The question was not sent.",
  unreachable: "The assistant cannot be reached. Try again in a moment.",
  interrupted: "The answer broke off.",
  limited: "Many questions are being asked. Try again {wait}.",
  limitedUntil: "Many questions are being asked. Try again at {time}.",
  busy: "The assistant is busy. Try again in a moment.",
  unavailable: "The assistant is not available here.",
  tooLong: "The question is too long. Shorten it.",
  failed: "That did not work. Try again.",
} as const;

/** The labels by where they are said, for those who put them into other words. */
export const LABEL_GROUPS = { FRAME, SEARCH, ANSWER, ACTIONS, TROUBLE } as const;

/** Every word of the widget's own, in English. A site puts others in their place; what stands in braces is filled in. */
export const LABELS = { ...FRAME, ...SEARCH, ...ANSWER, ...ACTIONS, ...TROUBLE } as const;

export type LabelName = keyof typeof LABELS;

/** The labels in another language. */
export type Labels = Readonly<Record<LabelName, string>>;

/** Says a label, with what is filled in. */
export interface Say {
  (name: LabelName, filled?: Record<string, string | number>): string;
  language: string;
}

/** The words to say: English ones where there are no others. Numbers are written as the language writes them. */
export function createSay(others: Partial<Record<string, string>> = {}, language = "en"): Say {
  const say = (name: LabelName, filled: Record<string, string | number> = {}) => {
    const text = (Object.hasOwn(others, name) && others[name]) || LABELS[name];
    return text.replace(/\{(\w+)\}/g, (whole, key: string) => {
      const value = filled[key] ?? whole;
      return typeof value === "number" ? value.toLocaleString(language) : value;
    });
  };
  return Object.assign(say, { language });
}

/** Whether the widget has a label of that name. */
export const isLabelName = (name: string): name is LabelName => Object.hasOwn(LABELS, name);
