/** What is told apart in a language: sources of expressions without groups that capture. `^` is the start of a line. */
export interface Language {
  comment?: string;
  string?: string;
  /** Names that can be told by how they look: keys, tags, variables. */
  name?: string;
  /** What is a keyword by how it looks. */
  mark?: string;
  /** Words with a space between. */
  keywords?: string;
  ignoresCase?: boolean;
  /** Words before a parenthesis are names, and those that begin with a capital letter. */
  hasCalls?: boolean;
  /** Text that is written for people: its words and numbers say nothing about it. */
  isProse?: boolean;
}

/** The end of everything. What is not closed goes on to it: so no mark is tried twice. */
export const END = "(?![\\s\\S])";
export const DOUBLE = '"(?:[^"\\\\\\n]|\\\\[\\s\\S])*"?';
export const SINGLE = "'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'?";
export const BACKTICKS = "`(?:[^`\\\\]|\\\\[\\s\\S])*`?";
/** Strings that go on over lines. */
export const LONG_DOUBLE = '"(?:[^"\\\\]|\\\\[\\s\\S])*"?';
export const LONG_SINGLE = "(?<!\\w)'[^']*'?";
export const HASH = "#.*";
/** Where a hash in the middle of a word begins no comment. */
export const HASH_APART = "(?<![^\\s;])#.*";
export const SLASHES = `//.*|/\\*[\\s\\S]*?(?:\\*/|${END})`;
