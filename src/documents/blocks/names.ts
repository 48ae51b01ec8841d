/** Names of styles of code. */
const CODE =
  /\b(?:source ?code|code ?block|code ?listing|program ?listing|preformatted|verbatim|html (?:code|preformatted|typewriter|keyboard|sample)|macro text|plain ?text ?code|code(?! of)|quellcode|quelltext)\b/i;
const CONTENTS =
  /^(?:toc|contents|inhaltsverzeichnis|table of figures|illustration index|table of authorities)(?: ?heading| \d+|\d+)?$/i;
const MONO =
  /courier|consol|\bmono|mono\b|menlo|monaco|lucida (?:console|sans typewriter)|source code|inconsolata|typewriter|cascadia|fira code|terminal/i;

/** Whether a style's name says that its paragraphs are code. */
export const isCodeName = (name: string) => CODE.test(name);

/** Whether a style's name says that its paragraphs are lines of a table of contents. */
export const isContentsName = (name: string) => CONTENTS.test(name);

/** Whether a font is that of a typewriter. */
export const isMonoFont = (font: string | undefined) => font !== undefined && MONO.test(font);
