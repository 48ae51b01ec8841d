/** How much a finding matters, the gravest first. */
export const SEVERITIES = ["error", "warning", "note"] as const;
export type Severity = (typeof SEVERITIES)[number];

interface Rule {
  severity: Severity;
  /** What holds of docs in which the rule finds nothing. */
  summary: string;
}

/** Every rule by its name, in the order in which findings are shown. */
export const RULES = {
  "question-missed": {
    severity: "error",
    summary: "Each kept question finds a page that answers it among the first results.",
  },
  "question-refused": {
    severity: "error",
    summary: "Each kept question finds docs that are relevant enough for an answer.",
  },
  "question-unknown-place": {
    severity: "error",
    summary: "Each kept question expects pages and headings that the docs have.",
  },
  "question-worse": {
    severity: "warning",
    summary: "Each kept question finds its page as early as in the revision that was compared.",
  },
  "broken-link": { severity: "error", summary: "Each link within the docs leads to a page." },
  "broken-anchor": {
    severity: "warning",
    summary: "Each link to a heading leads to one that the page has.",
  },
  "page-moved": { severity: "warning", summary: "A page that has moved can be found at its old address." },
  "page-removed": {
    severity: "warning",
    summary: "The address of a page that was removed leads somewhere else.",
  },
  "left-out": { severity: "warning", summary: "Each file of the docs can be read." },
  "page-fault": { severity: "warning", summary: "Each page is written as its format asks for." },
  "missing-title": { severity: "warning", summary: "Each page has a title of its own." },
  "orphan-page": { severity: "warning", summary: "Each page is in the menu, or another page links to it." },
  "title-not-found": {
    severity: "note",
    summary: "A question made of a page's title finds the page among the first results.",
  },
  "same-content": { severity: "warning", summary: "No two pages say the same." },
  "repeated-anchor": {
    severity: "warning",
    summary: "An anchor that an author chose stands once on its page.",
  },
  "repeated-heading": {
    severity: "note",
    summary: "No two headings of a page have the same words and the same headings above them.",
  },
  "missing-description": {
    severity: "note",
    summary: "Each page has a description, where most pages have one.",
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES: readonly RuleName[] = Object.keys(RULES).filter(isRuleName);

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(RULES, name);
}

/** Something in the docs that their author should look at. */
export interface Finding {
  rule: RuleName;
  severity: Severity;
  /** Relative to the folder that was read; that of the kept questions as it was named. */
  file: string;
  /** From 1; undefined where it cannot be told. */
  line: number | undefined;
  /** What is wrong, and what to do about it. */
  message: string;
  /** Whether the finding was not there in the revision that was compared; undefined where none was. */
  isNew: boolean | undefined;
}

/** A finding as a rule makes it. */
export interface Found {
  rule: RuleName;
  file: string;
  message: string;
  /** Tells it from others of its rule in the same file, in another revision too. */
  key: string;
  /** Where its line can be known without looking. */
  line?: number | undefined;
  /** What its line holds: the texts are tried in turn, and of those that match the `nth` is meant. */
  seek?: { texts: readonly string[]; nth?: number };
}

/** Whether a finding of this severity is as grave as another, or graver. */
export const isAsGrave = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
