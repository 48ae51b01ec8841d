import type { GoldenCheck, GoldenStanding } from "../../replies.ts";

/** The first page of a site has an empty path. */
export const shownPath = (path: string | null) => path || "/";

/** Where a question finds its page, in a word or two. */
export function placeWords({ rank, isAnswered }: GoldenStanding): string {
  if (rank !== null) return `Place ${rank}`;
  return isAnswered ? "Not found" : "No answer";
}

/** What became of a run that was asked golden questions. */
export function becameWords({ refused, generation }: Pick<GoldenCheck, "refused" | "generation">): {
  label: string;
  tone: "bad" | "good" | "quiet";
} {
  if (refused) return { label: "Not published", tone: "bad" };
  if (generation === null) return { label: "Not ended", tone: "quiet" };
  return { label: `Generation ${generation}`, tone: "good" };
}

/** What the questions said, in one line. */
export function checkWords({ asked, unasked, worse, better }: GoldenCheck): string {
  const parts = [`${asked} asked`, `${worse.length} worse`, `${better.length} better`];
  return [...parts, ...(unasked > 0 ? [`${unasked} not asked for want of time`] : [])].join(", ");
}
