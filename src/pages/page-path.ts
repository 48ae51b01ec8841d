// Only from where a run of slashes begins: tried from each of them, a long run in the middle would take for ever.
const SLASHES_AT_END = /(?<!\/)\/+$/;

/** A page's path as it is stored: no slash around it, no extension, an index file as its folder. */
export function normalizePath(path: string): string {
  const plain = path.split(/[?#]/, 1)[0] ?? "";
  const trimmed = plain
    .replaceAll("\\", "/")
    .replace(/^\/+/, "")
    .replace(SLASHES_AT_END, "")
    .replace(/\.(md|mdx|markdown|html?)$/i, "");
  return trimmed.replace(/(^|\/)index$/i, "").replace(SLASHES_AT_END, "");
}

/** A path fit to stand in an address, and in the target of a Markdown link. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

/** Where a heading of a page is, from the site's root; the page itself where there is none. */
export function hrefOf({ path, anchor }: { path: string; anchor: string }): string {
  return `/${encodePath(path)}${anchor === "" ? "" : `#${encodePath(anchor)}`}`;
}

/** The text of a part of an address; as it is where it is not encoded well. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const encodeSegment = (segment: string) =>
  encodeURIComponent(segment).replace(
    /[()'!*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
