/** What a reply says of its revision, as one text; undefined where it says nothing. */
export function validatorOf(headers: Headers): string | undefined {
  const etag = headers.get("etag");
  const modified = headers.get("last-modified");
  return etag === null && modified === null ? undefined : `${etag ?? ""}\n${modified ?? ""}`;
}

/** The headers that ask for a page only if it is no longer that revision. */
export function conditionsOf(validator: string | undefined): Record<string, string> {
  const [etag = "", modified = ""] = (validator ?? "").split("\n");
  return {
    ...(etag !== "" && { "if-none-match": etag }),
    ...(modified !== "" && { "if-modified-since": modified }),
  };
}
