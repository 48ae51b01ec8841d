import { isIP } from "node:net";
import { AppError } from "@docent/kernel/errors";
import { matchAddresses } from "@docent/kernel/lib/address";
import { boundHost, plainHost } from "@docent/kernel/lib/host-name";

/** Says whether the operator named a host, which comes without its port. */
export type HostMatcher = (hostName: string) => boolean;

/** The settings that name hosts, under their own names. */
interface HostSettings {
  /** The address that the server listens on. */
  host: string;
  public_url: string;
  /** Hosts named besides. */
  admin_hosts: readonly string[];
}

const EVERY_ADDRESS = ["0.0.0.0", "::"];
const LOOPBACK = ["localhost", "127.0.0.0/8", "::1"];

/**
 * The hosts under which the doors answer that trust where a request was sent: a page of elsewhere could let its own name
 * lead here. Loopback, the bound address and the public URL are named by default.
 */
export function createHostMatcher({ host, public_url, admin_hosts }: HostSettings): HostMatcher {
  const bound = boundHost(host);
  const names = new Set([bound, ...LOOPBACK, ...admin_hosts].map(writtenHostName));
  const published = URL.parse(public_url)?.hostname;
  if (published) names.add(unbracketed(published));
  const { matches: isLoopback } = matchAddresses(LOOPBACK.slice(1));
  // Bound to every address it has, it cannot know them; an address is no name that could lead elsewhere tomorrow.
  const { matches: isAddress } = matchAddresses(
    EVERY_ADDRESS.includes(writtenHostName(bound)) ? ["0.0.0.0/0", "::/0"] : [],
  );
  return (hostName) => names.has(hostName) || isLoopback(hostName) || isAddress(hostName);
}

/** A host as an operator writes it: an IPv6 address in any spelling, with brackets or without. */
function writtenHostName(host: string): string {
  return hostNameOf(isIP(host) === 6 ? `[${host}]` : host) ?? host;
}

/** A `Host` header without its port, in lower case; undefined where it is none. */
export function hostNameOf(host: string | null): string | undefined {
  const url = host === null || /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${plainHost(host)}`);
  return url === null ? undefined : unbracketed(url.hostname);
}

/** Raises `forbidden` for a request that was sent to another host, or by a page of another origin. */
export function checkSentHere(request: Request, isNamed: HostMatcher, publicUrl: string): void {
  const host = request.headers.get("host");
  const hostName = hostNameOf(host);
  if (host === null || hostName === undefined || !isNamed(hostName))
    throw new AppError("forbidden", "This address is not served under the host that was asked for.");
  const origin = request.headers.get("origin");
  if (origin === null) return;
  if (!isOwn(origin, host, publicUrl))
    throw new AppError("forbidden", "This address may not be used from pages of another origin.");
}

function isOwn(origin: string, host: string, publicUrl: string): boolean {
  const sender = URL.parse(origin);
  const own = URL.parse(publicUrl);
  if (sender === null || sender.origin === own?.origin) return sender !== null;
  // What is not encrypted, anybody between may have written: it is no page of a server that is reached by https.
  const isDowngraded = own?.protocol === "https:" && sender.protocol !== "https:" && sender.host === own.host;
  return !isDowngraded && sender.host === URL.parse(`${sender.protocol}//${plainHost(host)}`)?.host;
}

const unbracketed = (hostName: string) => hostName.replace(/^\[|\]$/g, "");

/** What a browser says of a request that one of our own pages, or the person in the address bar, made it send. */
const OWN = ["same-origin", "none"];
const READS = ["GET", "HEAD"];

/**
 * Refuses requests that a page of another site may have made a signed-in browser send (CSRF). An origin that is
 * named has been checked before. A write has to name one, as browsers do; a read need not.
 */
export function checkOwnPage(request: Request): void {
  refuseOtherSites(request);
  const isNamed = request.headers.has("origin") || request.headers.get("sec-fetch-site") === "same-origin";
  if (!isNamed && !READS.includes(request.method)) throw notOwn();
}

/** Raises `forbidden` if the browser says that a page of another site made it send this (CSRF). */
export function refuseOtherSites(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && !OWN.includes(site)) throw notOwn();
}

const notOwn = () => new AppError("forbidden", "This may be used from Docent's own pages alone.");
