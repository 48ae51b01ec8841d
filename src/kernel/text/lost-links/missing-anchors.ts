/** How many places that citations lead to were looked for on published pages, and how many of them are there. */
export interface AnchorCounts {
  asked: number;
  there: number;
}

/** So many places are missing where a page has changed since; more are missing where ids are made in another way. */
const MISSING_SHARE = 0.1;
const MISSING_MIN = 3;

/** Whether so many places are missing that the site's headings have other ids than Docent gives them. */
export const haveOtherIds = ({ asked, there }: AnchorCounts): boolean =>
  asked - there >= MISSING_MIN && asked - there > MISSING_SHARE * asked;

/** "31 of 40 anchors are there", with what to do where too few are. */
export const anchorWords = (counts: AnchorCounts): string =>
  haveOtherIds(counts)
    ? `${counts.there} of ${counts.asked} anchors are there: headings have other ids on your site than these pages give them. Read the folder that your generator has built, or set how the site makes its anchors.`
    : `${counts.there} of ${counts.asked} anchors are there.`;
