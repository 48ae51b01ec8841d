import { unreadable, unreadableStatus } from "../http-fault.ts";
import { asText } from "../response-text.ts";
import type { Polite } from "./polite-fetch.ts";
import { parseRobots, type Robots } from "./robots.ts";
import { AGENT } from "./site.ts";

const ROBOTS_BYTES_MAX = 2_000_000;
const CRAWL_DELAY_SECONDS_MAX = 5;

/**
 * Reads a site's robots.txt, and minds its crawl-delay. `origin` is where the site really is, as when http leads to
 * https. Where the file cannot be read nothing may be fetched (RFC 9309), and an AppError ends the run.
 */
export async function loadRobots(
  polite: Polite,
  origin: string,
  signal: AbortSignal,
): Promise<{ robots: Robots; origin: string }> {
  const address = `${origin}/robots.txt`;
  const response = await polite.get(address, { signal, bytesMax: ROBOTS_BYTES_MAX }).catch((cause) => {
    throw unreadable(address, cause);
  });
  if (response.status >= 500 || response.status === 429) throw unreadableStatus(address, response.status);
  const robots = parseRobots(response.status === 200 ? asText(response.body) : "", AGENT);
  const delaySeconds = Math.min(robots.crawlDelaySeconds ?? 0, CRAWL_DELAY_SECONDS_MAX);
  if (delaySeconds > 0) polite.keepApart(delaySeconds * 1000);
  const final = new URL(response.url);
  return { robots, origin: final.pathname === "/robots.txt" ? final.origin : origin };
}
