import type { Suggestion } from "../../../text/suggestions.ts";

/** The pages that an answer proposed besides; nothing where there are none. */
export function ReadNext({ suggestions }: { suggestions: readonly Suggestion[] }) {
  if (suggestions.length === 0) return null;
  return <p className="small quiet">Read next: {suggestions.map(({ label }) => label).join(", ")}</p>;
}
