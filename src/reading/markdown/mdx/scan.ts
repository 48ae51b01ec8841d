/**
 * Bounds the work on one page: scans that fail and start again may add up to a few readings of it at most.
 */
export interface ScanBudget {
  left: number;
}

const MAX_EXPRESSION_CHARACTERS = 200_000;

/** The position after the brace that closes the `{…}` at a position; undefined where nothing closes it. */
export function expressionEnd(source: string, start: number, budget: ScanBudget): number | undefined {
  let depth = 0;
  const limit = Math.min(source.length, start + MAX_EXPRESSION_CHARACTERS);
  for (let at = start; at < limit; at++) {
    budget.left -= 1;
    if (budget.left <= 0) return undefined;
    const character = source.charAt(at);
    if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else at = Math.max(at, skipLiteral(source, at, budget) - 1);
  }
  return undefined;
}

/** The end of an `import` or `export` statement: the end of the line on which it is complete. */
export function statementEnd(source: string, start: number, budget: ScanBudget): number {
  let depth = 0;
  let last = "";
  for (let at = start; at < source.length; at++) {
    budget.left -= 1;
    if (budget.left <= 0) break;
    const character = source.charAt(at);
    if (character === "\n" && depth <= 0 && !"=+,(&|?:.".includes(last)) return at;
    if ("({[".includes(character)) depth += 1;
    else if (")}]".includes(character)) depth -= 1;
    else at = Math.max(at, skipLiteral(source, at, budget) - 1);
    if (source.charAt(at).trim() !== "") last = source.charAt(at);
  }
  if (depth <= 0) return source.length;
  // An unclosed statement takes up its own paragraph and no more of the page.
  const blank = source.indexOf("\n\n", start);
  return blank < 0 ? source.length : blank;
}

/** The position after the string, template or comment that starts here; the same position where none does. */
function skipLiteral(source: string, at: number, budget: ScanBudget): number {
  const character = source.charAt(at);
  if (character === '"' || character === "'") return afterQuote(source, at, character, "\n", budget);
  if (character === "`") return afterQuote(source, at, "`", "", budget);
  if (character !== "/") return at;
  const next = source.charAt(at + 1);
  if (next === "*") return afterText(source, at, "*/", budget);
  return next === "/" && source.charAt(at - 1) !== ":" ? afterText(source, at, "\n", budget) - 1 : at;
}

/**
 * The position after a string. An apostrophe in a sentence opens none: a quote that its line does not close
 * is an ordinary character.
 */
function afterQuote(source: string, start: number, quote: string, stop: string, budget: ScanBudget): number {
  for (let at = start + 1; at < source.length; at++) {
    budget.left -= 1;
    if (budget.left <= 0) return start;
    const character = source.charAt(at);
    if (character === "\\") at += 1;
    else if (character === quote) return at + 1;
    else if (character === stop) return start;
  }
  return start;
}

function afterText(source: string, start: number, wanted: string, budget: ScanBudget): number {
  const found = source.indexOf(wanted, start + 2);
  budget.left -= (found < 0 ? source.length : found) - start;
  return found < 0 ? start + 1 : found + wanted.length;
}
