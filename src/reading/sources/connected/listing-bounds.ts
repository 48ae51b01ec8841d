import { endless } from "../../connectors/connectors.ts";

/** How much a server may say of its pages, before their words are asked for. */
export interface ListingBounds {
  requestsMax: number;
  bytesMax: number;
}

/** Some servers are asked once for each right, each translation or each folder, and most for a hundred pages at once. */
export const listingBoundsOf = (pagesMax: number): ListingBounds => ({
  requestsMax: 20_000 + 2 * pagesMax,
  bytesMax: 200_000_000 + 10_000 * pagesMax,
});

export interface Tally {
  /** Counts a reply. Raises where there were too many, or too large ones. */
  count(bytes: number): void;
  /** The list is whole: what comes now are the words of pages. */
  end(): void;
}

/** Counts what comes until a list is whole: a server can go on for ever, and each of its replies be in order. */
export function createTally(place: string, { requestsMax, bytesMax }: ListingBounds): Tally {
  let requests = 0;
  let bytes = 0;
  let isOver = false;
  return {
    count(more) {
      if (isOver) return;
      requests += 1;
      bytes += more;
      if (requests > requestsMax || bytes > bytesMax) throw endless(place);
    },
    end() {
      isOver = true;
    },
  };
}
