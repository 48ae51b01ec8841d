import { asList, asRecord, asText, jsonIn } from "../../text/json.ts";
import type { Connection } from "../conversation/connection.ts";
import { type PartialLook, readLook } from "./look/look.ts";
import type { KnownOfSite } from "./page.ts";
import type { Kept } from "./stored-text.ts";

/** What the site's owner has set, as the server tells it. */
export interface SiteConfig extends KnownOfSite {
  name: string | undefined;
  /** Where the docs are published. */
  url: string | undefined;
  look: PartialLook;
}

const WAIT_MS = 8000;

/** What was told when the widget was opened last: so a returning reader sees the owner's button at once. */
export function rememberedConfig(kept: Kept, server: string): SiteConfig {
  return readConfig(jsonIn(kept.get() ?? ""), server);
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
    // A network that shows its own page in place of ours says OK too, and is no JSON.
    const said: unknown = await response.json();
    kept.set(JSON.stringify(said));
    return readConfig(said, endpoint);
  } catch {
    // The widget works without it, and what is wrong with the server is said when something is asked.
    return undefined;
  }
}

function readConfig(json: unknown, server: string): SiteConfig {
  const said = asRecord(json);
  // A site that is published nowhere else is read in Docent's own reader.
  const url = textOf(said["url"]) ?? textOf(said["readerUrl"]);
  return {
    name: textOf(said["name"]),
    url: /^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "") ? url : undefined,
    versions: textsOf(said["versions"]),
    languages: textsOf(said["languages"]),
    look: readLook({ ...asRecord(said["widget"]), starterQuestions: said["starterQuestions"] }, server),
  };
}

const textOf = (value: unknown) => asText(value)?.trim() || undefined;
const textsOf = (value: unknown) => asList(value).filter((each): each is string => typeof each === "string");
