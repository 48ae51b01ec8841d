/** Whether one of the tags of an `if-none-match` header is this one; a proxy may have made it a weak one on its way. */
export function isKnownEtag(etag: string, known: string | null): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, "");
  return known?.trim() === "*" || (known ?? "").split(",").some((each) => plain(each) === plain(etag));
}
