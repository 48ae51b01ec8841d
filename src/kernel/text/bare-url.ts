/** A bare address in running text. */
interface BareUrl {
  start: number;
  end: number;
}

/**
 * Finds bare http(s) addresses, without the surrounding punctuation. Bun's own `autolinks` is not used: in
 * 1.4.5 one that overlaps an emphasis mark (`**https://a.b/c.git**.`) makes `react` and `render` lose the
 * rest.
 */
export function findBareUrls(text: string): BareUrl[] {
  const found: BareUrl[] = [];
  if (!text.includes("://")) return found;
  for (const match of text.matchAll(/\bhttps?:\/\/[A-Za-z0-9[][^\s<>"`\\、。，；：！？）」』】]{0,2000}/g)) {
    const length = trimmedLength(match[0]);
    found.push({ start: match.index, end: match.index + length });
  }
  return found;
}

/** The length of an address in running text without the full stop or parenthesis behind it. */
export function trimmedLength(url: string): number {
  let surplus = url.split(")").length - url.split("(").length;
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ")" && surplus > 0) surplus -= 1;
    else if (!".,;:!?'\"*_~".includes(last)) break;
  }
  return end;
}
