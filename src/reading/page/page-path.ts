// Matches only from the start of a run of slashes: trying each slash of a long run in the middle would take
// quadratic time.
const SLASHES_AT_END = /(?<!\/)\/+$/;

/** A page's path in its plain form: without slashes around it or an extension, an index file as its folder. */
export function normalizePath(path: string): string {
  const plain = path.split(/[?#]/, 1)[0] ?? "";
  const trimmed = plain
    .replaceAll("\\", "/")
    .replace(/^\/+/, "")
    .replace(SLASHES_AT_END, "")
    .replace(/\.(md|mdx|markdown|html?)$/i, "");
  return trimmed.replace(/(^|\/)index$/i, "").replace(SLASHES_AT_END, "");
}

/** A path without the extension that an address may end in: `guide` is mostly another name of `guide.html`. */
export const withoutEnding = (path: string): string => path.replace(/\.html?$/i, "");

/** The path of the page at an address, with the extension that it is published with: an index file is its folder. */
export function pathInAddress(pathname: string): string {
  const path = normalizePath(pathname);
  const written = (pathname.split(/[?#]/, 1)[0] ?? "").replace(/^\/+/, "");
  return path !== "" && withoutEnding(written) === path ? written : path;
}

/** A path for use in an address and in a Markdown link's target. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

/** A page with the place where it was found, as far as that is known. */
interface FoundPage {
  path: string;
  anchor: string;
  location?: string | undefined;
}

/** The address of a page's heading relative to the site's root; of the page itself without an anchor. */
export function hrefOf({ path, anchor, location = "" }: FoundPage): string {
  const slash = path !== "" && isFolder(location) ? "/" : "";
  return `/${encodePath(path)}${slash}${fragmentOf(anchor)}`;
}

/**
 * Whether the address of a page ends in a slash: that at which it was read does, or its file is the index of a folder, which
 * every static host publishes as one.
 */
const isFolder = (location: string) =>
  /^https?:\/\//i.test(location) ? /^[^?#]*\/$/.test(location) : /(?:^|\/)index\.x?html?$/i.test(location);

/** What follows an address and leads to a heading, or to a page of a PDF: `#page=12`, which viewers read as it is. */
export const fragmentOf = (anchor: string) =>
  anchor === "" ? "" : `#${encodePath(anchor).replaceAll("%3D", "=")}`;

/**
 * The number in `#page=12`: a long document is shown in parts, and the server, to which no browser sends what is behind a
 * #, has to be told which one. undefined for any other fragment.
 */
const placeNumber = (fragment: string) => /^#(?:page|slide)=(\d{1,6})$/.exec(fragment)?.[1];

/** An address of the reader with its fragment, and with what tells the server the part of a document that it is in. */
export function readerAddress(address: string, fragment: string): string {
  const number = placeNumber(fragment);
  if (number === undefined) return address + fragment;
  return `${address}${address.includes("?") ? "&" : "?"}at=${number}${fragment}`;
}

const encodeSegment = (segment: string) =>
  encodeURIComponent(segment).replace(
    /[()'!*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
