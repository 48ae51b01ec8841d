import type { Hit } from "../../search/search.ts";
import type { Phrases } from "../../sites/phrases.ts";
import type { Site } from "../../sites/sites.ts";
import { escapeLabel } from "../labels.ts";
import type { AnswerDeps } from "../request.ts";

const PAGES_MAX = 3;
/** Of the relevance that an answer needs: what is farther off only looks like help. */
const RELEVANCE_SHARE_MIN = 0.5;

/** Where a reader may turn when the docs do not answer: the nearest pages, and the owner's contact. */
export function whereToTurn(
  { linkTo, relevanceMin }: Pick<AnswerDeps, "linkTo" | "relevanceMin">,
  site: Site,
  hits: Hit[],
  { nearest, contact }: Phrases,
): string {
  const pages = new Map<string, Hit>();
  for (const hit of hits.filter(({ relevance }) => relevance >= relevanceMin * RELEVANCE_SHARE_MIN))
    if (!pages.has(hit.path)) pages.set(hit.path, hit);
  const links = [...pages.values()]
    .slice(0, PAGES_MAX)
    .map((hit) => `- [${escapeLabel(hit.title)}](${linkTo(site, hit)})`);
  return [
    ...(links.length === 0 ? [] : [nearest, links.join("\n")]),
    ...(site.settings.contact === "" ? [] : [`${contact} ${linkOf(site.settings.contact)}`]),
  ]
    .map((paragraph) => `\n\n${paragraph}`)
    .join("");
}

function linkOf(contact: string): string {
  if (/^https?:/i.test(contact)) return `<${contact}>`;
  const address = contact.replace(/^mailto:/i, "");
  return `[${escapeLabel(address.replace(/\?.*$/, ""))}](mailto:${address})`;
}
