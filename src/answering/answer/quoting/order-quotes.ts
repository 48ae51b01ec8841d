import type { Quote } from "./build-quote.ts";

// As in `question-kind.ts`, the pattern has the words of several languages.
const NEEDLESS =
  /\b(?:there is|there['’]s|has|have|with) no need (?:to|for)\b|^[-*+>\s]*no need to\b|\b(?:do|does)(?: not|n['’]t) (?:need|have) to\b|\b(?:is|are)(?: not|n['’]t) (?:needed|necessary|required)\b|\bno (?:\w+ )?(?:configuration|setup|change|action|step)s? (?:is|are) (?:needed|necessary|required)\b|\b(?:just|simply) works?\b|\bworks? (?:out of the box|without (?:any )?(?:\w+ )?(?:configuration|setup))\b|\b(?:nicht|kein\w*(?: \w+)?) (?:nötig|notwendig|erforderlich)\b|\bn['’]est pas nécessaire\b|\bpas besoin d\w*\b|\bno (?:es necesari[oa]|hace falta)\b|无需|不需要|不必|必要(?:は|が)?(?:ありません|ない)|不要です/iu;

/**
 * The quotes with that first which says of what is asked that nothing is to be done for it: behind an example of how
 * something is set, it would be read as if that had to be set.
 */
export function needlessFirst(quotes: readonly Quote[]): Quote[] {
  const [best, ...others] = quotes;
  if (best === undefined || !showsCode(best)) return [...quotes];
  const needless = others.find(
    ({ core }) => core.covered >= best.core.covered && NEEDLESS.test(core.piece.markdown) && isProse(core),
  );
  return needless === undefined ? [...quotes] : [needless, ...quotes.filter((quote) => quote !== needless)];
}

const isProse = ({ piece }: Quote["core"]): boolean => piece.kind !== "code" && piece.kind !== "table";

const showsCode = ({ positions, core: { around } }: Quote): boolean =>
  positions.some((position) => around[position]?.kind === "code");

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
