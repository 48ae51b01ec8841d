import { unreadable, unreadableStatus } from "../http-fault.ts";
import { asText } from "../response-text.ts";
import type { PoliteFetch } from "./polite-fetch.ts";
import { readDirectives } from "./read-head.ts";

/** The name that robots.txt and X-Robots-Tag know this crawler by. */
export const AGENT = "docent";

/** What a site's robots.txt says to one crawler (RFC 9309). */
export interface Robots {
  /** Whether this path, its query included, may be fetched. */
  allows(pathAndQuery: string): boolean;
  crawlDelaySeconds: number | undefined;
  sitemaps: string[];
}

interface Rule {
  allows: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  crawlDelaySeconds?: number;
}

/** Reads a robots.txt for the crawler of this name. Never throws: what is not understood says nothing. */
export function parseRobots(text: string, agent: string): Robots {
  const { groups, sitemaps } = readGroups(text);
  const own = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = chosen.flatMap((group) => group.rules).sort(longestFirst);
  return {
    allows(pathAndQuery) {
      const path = normalize(pathAndQuery);
      return path === "/robots.txt" || (rules.find(({ pattern }) => matches(pattern, path))?.allows ?? true);
    },
    crawlDelaySeconds: chosen.find(({ crawlDelaySeconds }) => crawlDelaySeconds !== undefined)
      ?.crawlDelaySeconds,
    sitemaps,
  };
}

/** Whether robots.txt lets this address be fetched. */
export function isAllowed(robots: Robots, address: string): boolean {
  const { pathname, search } = new URL(address);
  return robots.allows(pathname + search);
}

/** Of two rules of one length the one that allows wins. */
const longestFirst = (a: Rule, b: Rule) =>
  b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows);

function readGroups(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isOpen = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)) {
    const [, field = "", value = ""] =
      /^\s*([A-Za-z-]+)\s*:\s*(?!\s)(|.+?(?<!\s))\s*(?:#.*)?$/.exec(line) ?? [];
    const group = groups.at(-1);
    switch (field.toLowerCase()) {
      case "user-agent":
        if (isOpen && group !== undefined) group.agents.push(agentOf(value));
        else groups.push({ agents: [agentOf(value)], rules: [] });
        isOpen = true;
        break;
      case "allow":
      case "disallow":
        isOpen = false;
        if (value !== "")
          group?.rules.push({ allows: field.toLowerCase() === "allow", pattern: normalize(value) });
        break;
      case "crawl-delay":
        isOpen = false;
        if (group !== undefined && /^\d+(\.\d+)?$/.test(value)) group.crawlDelaySeconds = Number(value);
        break;
      case "sitemap":
        sitemaps.push(value);
        break;
    }
  }
  return { groups, sitemaps };
}

/** A crawler's name is what comes before its version. */
const agentOf = (value: string) => (/^[A-Za-z_-]+/.exec(value)?.[0] ?? value).toLowerCase();

/** `/a%7eb` and `/a~b`, `/ü` and `/%C3%BC` are the same path. */
function normalize(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-fA-F]{2}/g, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
    });
}

/** `*` is any text, `$` at the end is the end. Takes each piece where it first comes: no pattern can make it slow. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  const last = pieces.pop();
  if (last === undefined) return !isWhole || path === first;
  let position = first.length;
  for (const piece of pieces) {
    const found = path.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return isWhole
    ? path.length - last.length >= position && path.endsWith(last)
    : path.indexOf(last, position) >= 0;
}

/**
 * Reads X-Robots-Tag. A part that begins with another crawler's name is for that one, and so is what follows it:
 * `googlebot: noindex, nofollow`.
 */
export function readRobotsHeader(
  value: string | null,
  agent: string,
): { noindex: boolean; nofollow: boolean } {
  let isForUs = true;
  const ours: string[] = [];
  for (const part of (value ?? "").split(",")) {
    const [, name, rest = part] = /^\s*([A-Za-z_-]+)\s*:(.*)$/.exec(part) ?? [];
    // "unavailable_after: <date>" is the one directive that looks like a name.
    if (name !== undefined && name.toLowerCase() !== "unavailable_after")
      isForUs = name.toLowerCase() === agent.toLowerCase() || name === "*";
    if (isForUs) ours.push(rest);
  }
  return readDirectives(ours.join(","));
}

const ROBOTS_BYTES_MAX = 2_000_000;
const CRAWL_DELAY_SECONDS_MAX = 5;

/**
 * Reads a site's robots.txt, and minds its crawl-delay. `origin` is where the site really is, as when http leads to
 * https. Where the file cannot be read nothing may be fetched (RFC 9309), and an AppError ends the run.
 */
export async function loadRobots(
  fetch: PoliteFetch,
  origin: string,
  signal: AbortSignal,
): Promise<{ robots: Robots; origin: string }> {
  const address = `${origin}/robots.txt`;
  const response = await fetch.get(address, { signal, bytesMax: ROBOTS_BYTES_MAX }).catch((cause) => {
    throw unreadable(address, cause);
  });
  if (response.status >= 500 || response.status === 429) throw unreadableStatus(address, response.status);
  const robots = parseRobots(response.status === 200 ? asText(response.body) : "", AGENT);
  const delaySeconds = Math.min(robots.crawlDelaySeconds ?? 0, CRAWL_DELAY_SECONDS_MAX);
  if (delaySeconds > 0) fetch.keepApart(delaySeconds * 1000);
  const final = new URL(response.url);
  return { robots, origin: final.pathname === "/robots.txt" ? final.origin : origin };
}
