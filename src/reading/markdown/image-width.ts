/*
 * Markdown has no place for the width that an image's tag gives it. It is kept as the fragment of the image's address,
 * which nothing else needs.
 */
const WIDTH = /#width=(\d{1,4})$/;

/** An image's address with the width, in pixels, that its tag has. */
export function withWidth(source: string, width: string | undefined): string {
  const pixels = /^\s*([1-9]\d{0,3})(?:px)?\s*$/.exec(width ?? "")?.[1];
  return pixels === undefined || source.includes("#") ? source : `${source}#width=${pixels}`;
}

/** The width that an image's address has; undefined for most. */
export function widthOf(source: string): number | undefined {
  const width = WIDTH.exec(source)?.[1];
  return width === undefined ? undefined : Number(width);
}

/** Whether an image stands beside another one of the same for light pages. */
export const isForDarkPages = (className: string) =>
  /(?:^|\s)dark:(?:block|inline|inline-block|flex)(?:\s|$)/.test(className) ||
  /(?:^|\s)(?:dark|only-dark|dark-only|dark-mode-only|show-on-dark|img-dark)(?:\s|$)/.test(className);
