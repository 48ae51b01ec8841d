import type { ExplainedPage, ExplainedPassage } from "../../replies.ts";

type Tone = "good" | "warn" | "bad" | "quiet" | "accent";

/** What a passage's standing is called. */
export const STANDINGS: Readonly<Record<ExplainedPassage["standing"], { label: string; tone: Tone }>> = {
  listed: { label: "Chosen", tone: "good" },
  behind: { label: "Behind the last one chosen", tone: "quiet" },
  joined: { label: "Joined with a better one", tone: "quiet" },
  outranked: { label: "Outranked", tone: "quiet" },
  not_proposed: { label: "Not proposed", tone: "warn" },
};

/** Why a page is where it is, and what its owner can do about that. */
export function pageVerdict(page: ExplainedPage, question: string): { tone: Tone; text: string } {
  const [best] = page.ranked;
  const missing = best?.lacks ?? [];
  const lacks =
    missing.length === 0 ? "" : ` Its best passage lacks ${missing.map((word) => `“${word}”`).join(", ")}.`;
  switch (page.standing) {
    case "hidden":
      return {
        tone: "warn",
        text: "It is hidden: its front matter asks that search does not show it. Take that out, and read its source again.",
      };
    case "filtered":
      return {
        tone: "warn",
        text: "The filter keeps it out: it is marked with another version, language, tag or group.",
      };
    case "no_passages":
      return { tone: "warn", text: "It has no words, so there is nothing to find in it." };
    case "listed":
      return {
        tone: "good",
        text: `It is found: its best passage is number ${best?.rank ?? 1} of those chosen for the answer.`,
      };
    case "behind":
    case "joined":
      return {
        tone: "accent",
        text: `It is found, but others fit better: its best passage is number ${best?.rank ?? "–"}.${lacks} Words of the question in its headings help most.`,
      };
    case "outranked":
      return {
        tone: "accent",
        text: `It was proposed, and too many others fit better to look at it more closely: number ${best?.fused?.rank ?? "–"} of all.${lacks}`,
      };
    default:
      return {
        tone: "warn",
        text: `Neither its words nor its meaning come near “${question}”.${lacks} Say it on the page in the words that readers use.`,
      };
  }
}
