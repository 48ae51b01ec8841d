/** What is said in a reply, without what differs between two replies to the same request: ids, durations, signatures. */
export const told = (text: string) =>
  text
    .replace(
      /(?:\b|_)[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?:chatcmpl|resp|msg)[-_][\w-]+/g,
      "id",
    )
    .replace(/nonce[-="]+[\w+/=]+/g, "nonce")
    .replace(/\bsignature=[\w-]+/g, "signature")
    .replace(/"searches":\s*\d+/g, '"searches"')
    .replace(/"created(?:_at)?":\s*\d+/g, '"created"')
    .replace(/"(?:\w+Ms|queue|retrieval|total|firstToken)":\s*[\d.]+/g, '"took"');
