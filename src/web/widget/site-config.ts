import type { Connection } from "../conversation/connection.ts";
import { type PartialLook, readLook } from "./look.ts";
import type { KnownOfSite } from "./page.ts";
import type { Kept } from "./store.ts";

/** What the site's owner has set, as the server tells it. */
export interface SiteConfig extends KnownOfSite {
  name: string | undefined;
  /** Where the docs are published. */
  url: string | undefined;
  look: PartialLook;
}

const WAIT_MS = 8000;
const NOTHING: SiteConfig = { name: undefined, url: undefined, versions: [], languages: [], look: {} };

/** What was told when the widget was opened last: so a returning reader sees the owner's button at once. */
export function rememberedConfig(kept: Kept, server: string): SiteConfig {
  return readConfig(parse(kept.get() ?? ""), server);
}

/** Asks the server, and remembers what it says; undefined where it does not answer. */
export async function loadConfig(
  { fetch, endpoint, domain, key }: Connection,
  kept: Kept,
): Promise<SiteConfig | undefined> {
  try {
    const response = await fetch(`${endpoint}v1/widget/${encodeURIComponent(domain)}`, {
      headers: { authorization: `Bearer ${key}` },
      credentials: "omit",
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (!response.ok) return undefined;
    const text = await response.text();
    kept.set(text);
    return readConfig(parse(text), endpoint);
  } catch {
    // The widget works without it, and what is wrong with the server is said when something is asked.
    return undefined;
  }
}

function readConfig(said: unknown, server: string): SiteConfig {
  if (!isRecord(said)) return NOTHING;
  const widget = isRecord(said["widget"]) ? said["widget"] : said;
  // A site that is published nowhere else is read in Docent's own reader.
  const url = textOf(said["url"]) ?? textOf(said["readerUrl"]);
  return {
    name: textOf(said["name"]),
    url: /^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "") ? url : undefined,
    versions: textsOf(said["versions"]),
    languages: textsOf(said["languages"]),
    look: readLook({ ...widget, starterQuestions: said["starterQuestions"] }, server),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
const textsOf = (value: unknown) =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
