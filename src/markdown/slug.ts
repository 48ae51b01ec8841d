const NOT_IN_AN_ANCHOR = /[^\p{Alphabetic}\p{Mark}\p{Decimal_Number}\p{Connector_Punctuation}\- ]/gu;

/** The anchor that GitHub gives a heading of these words, before it is made unique. */
export function slug(words: string): string {
  return words.toLowerCase().replace(NOT_IN_AN_ANCHOR, "").replaceAll(" ", "-");
}

/** Gives the anchors of one page. */
export interface Slugger {
  /** A generated anchor, unlike every one given before. */
  unique(words: string): string;
  /** Takes an anchor that the page's author chose. */
  claim(anchor: string): string;
}

/** Numbers repeated anchors exactly as GitHub does: `a`, `a-1`, `a-2`, also where `a-1` is somebody's own words. */
export function createSlugger(): Slugger {
  const given = new Map<string, number>();
  return {
    unique(words) {
      const base = slug(words);
      let result = base;
      for (let count = given.get(base) ?? 0; given.has(result); result = `${base}-${count}`) {
        count += 1;
        given.set(base, count);
      }
      given.set(result, 0);
      return result;
    },
    claim(anchor) {
      if (!given.has(anchor)) given.set(anchor, 0);
      return anchor;
    },
  };
}
