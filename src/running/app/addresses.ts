import type { Config } from "@docent/kernel/config/settings";
import { boundHost } from "@docent/kernel/lib/host-name";
import { addressBelow } from "@docent/kernel/text/site-url";
import { readerAddress } from "@docent/reading/page/page-path";
import type { Site } from "@docent/sites/site/sites";

/** Where a citation leads: to the published page, or to the reader site where the site has no address. */
export function linkTo(
  site: Site,
  { href }: { href: string },
  publicUrl: string,
  readerQuery: string,
): string {
  if (site.url !== undefined) return addressBelow(site.url, href);
  const [shown = "", heading = ""] = href.split(/(?=#)/);
  // The reader site has one address for each page.
  const page = shown.replace(/(?<=.)\/$/, "");
  return readerAddress(`${publicUrl}/sites/${site.domain}${page}${readerQuery}`, heading);
}

/**
 * Where a one-time link is used. Its secret stands behind a #, which browsers never send: no proxy logs it.
 */
export const signInLink = (publicUrl: string, text: string) => `${publicUrl}/sign-in#link=${text}`;

/** A path prefix with a leading slash and no trailing one. */
export function normalizeBasePath(basePath: string): string {
  const trimmed = basePath.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}

/** The address under which readers reach the server. */
export function publicUrlOf(config: Config, port = config.port): string {
  return config.public_url === "" ? addressOf(config, port) : config.public_url.replace(/\/+$/, "");
}

/** The address under which this machine reaches the server. */
export function addressOf(config: Config, port = config.port): string {
  const host = boundHost(config.host);
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const address = reachable.includes(":") ? `[${reachable}]` : reachable;
  return `http://${address}:${port}${normalizeBasePath(config.base_path)}`;
}
