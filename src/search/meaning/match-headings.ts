import type { Candidate } from "../search-store.ts";
import type { Meaning } from "./meaning.ts";

/** How near a question is in meaning to the title and headings of passages, by these; nothing where that takes too long. */
export async function similaritiesOfHeadings(
  { similaritiesOfTexts }: Meaning,
  passages: readonly Candidate[],
): Promise<Map<number, number>> {
  if (similaritiesOfTexts === undefined) return new Map();
  const textOf = new Map(passages.map((each) => [each.passageId, headingsOf(each)]));
  const texts = [...new Set(textOf.values())];
  const similarities = await similaritiesOfTexts(texts);
  const ofText = new Map(texts.map((text, index) => [text, similarities[index]]));
  return new Map(
    [...textOf].flatMap(([passageId, text]) => {
      const similarity = ofText.get(text);
      return similarity === undefined ? [] : [[passageId, similarity]];
    }),
  );
}

/** Most passages have the page's title as their first heading. */
const headingsOf = ({ title, headings }: Candidate) => [...new Set([title, ...headings])].join("\n");
