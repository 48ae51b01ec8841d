import type { Quote } from "./build-quote.ts";

/**
 * The quotes without those of other sections of the best one's page that add nothing asked: beside "Linux", which a question
 * names, "macOS" says how the same is done elsewhere.
 */
export function withoutOtherSections(quotes: readonly Quote[], asked: readonly string[]): Quote[] {
  const [best] = quotes;
  if (best === undefined) return [];
  const named = asked.filter((term) => best.core.headingTerms.has(term));
  const isAdded = (quote: Quote) => asked.some((term) => !says(best, term) && says(quote, term));
  return quotes.filter((quote) => {
    const isElsewhere = quote.passage === best.passage && quote.core.heading !== best.core.heading;
    return !isElsewhere || named.every((term) => says(quote, term)) || isAdded(quote);
  });
}

/** Whether a quote, or a heading above it, has a word. */
const says = ({ core, positions }: Quote, term: string): boolean =>
  core.headingTerms.has(term) ||
  positions.some((position) => core.around[position]?.terms.has(term) ?? false);
