/** How a language's comments, strings, names and keywords are recognized: sources of expressions without groups that capture. `^` is the start of a line. */
export interface Language {
  comment?: string;
  string?: string;
  /** Names that can be told by how they look: keys, tags, variables. */
  name?: string;
  /** Keywords that can be told by how they look. */
  mark?: string;
  /** Words with a space between. */
  keywords?: string;
  ignoresCase?: boolean;
  /** Words before a parenthesis are names, and those that begin with a capital letter. */
  hasCalls?: boolean;
  /** Text that is written for people: its words and numbers say nothing about it. */
  isProse?: boolean;
}

/** The end of the text. A string or comment that is never closed goes on to it, so that no opening is tried twice. */
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
