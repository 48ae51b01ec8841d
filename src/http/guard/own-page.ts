import { AppError } from "../../errors.ts";

/** What a browser says of a request that one of our own pages, or the person in the address bar, made it send. */
const OWN = ["same-origin", "none"];
const READS = ["GET", "HEAD"];

/**
 * Raises `forbidden` where a page of elsewhere may have made a browser send what it is signed in with. An origin that is
 * named was found to be our own before; a write has to name it. Browsers do: a read, or one over plain http, has no more.
 */
export function checkOwnPage(request: Request): void {
  refuseOtherSites(request);
  const isNamed = request.headers.has("origin") || request.headers.get("sec-fetch-site") === "same-origin";
  if (!isNamed && !READS.includes(request.method)) throw notOwn();
}

/** Raises `forbidden` where a browser says that a page of elsewhere made it send this. */
export function refuseOtherSites(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && !OWN.includes(site)) throw notOwn();
}

const notOwn = () => new AppError("forbidden", "This may be used from Docent's own pages alone.");
