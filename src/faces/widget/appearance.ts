import { asList, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import type { Connection } from "../conversation/connection.ts";
import type { Installation } from "./installation.ts";
import { type Look, mergeLooks, type PartialLook, readLook } from "./look/look.ts";
import { pathHere, type SiteContents } from "./page.ts";
import { type StoredText, storedText } from "./stored-text.ts";

/** How the widget looks on this page, as far as that is known. */
export interface Appearance {
  config(): SiteConfig;
  look(): Look;
  /** Asks the server what holds on this page, once for each. Tells whether that is other than it was thought to be. */
  load(): Promise<boolean>;
}

/** The page's word counts more than the owner's. Before the server is asked, what it said the last time is taken. */
export function createAppearance(installation: Installation, connection: Connection): Appearance {
  const { server, domain, target } = installation;
  const kept = storedText("localStorage", `docent:look:${server}${domain}`);
  let config = rememberedConfig(kept, server);
  let asked: string | undefined;
  return {
    config: () => config,
    look() {
      const look = mergeLooks(config.look, installation.look);
      return look.variant === "inline" && target === undefined ? { ...look, variant: "button" } : look;
    },
    async load() {
      const path = pathHere(config.url).slice(0, PATH_CHARACTERS_MAX);
      if (path === asked) return false;
      asked = path;
      const loaded = await loadConfig(connection, kept, path);
      // The reader may have gone on to another page meanwhile.
      if (path !== asked) return false;
      const isOther = loaded !== undefined && JSON.stringify(loaded) !== JSON.stringify(config);
      if (loaded) config = loaded;
      return isOther;
    },
  };
}

/** What the site's owner has set, as the server tells it. */
interface SiteConfig extends SiteContents {
  name: string | undefined;
  /** Where the docs are published. */
  url: string | undefined;
  /** Whether a conversation can be handed over to a person. */
  handsOver: boolean;
  look: PartialLook;
}

const WAIT_MS = 8000;
/** More is asked by nobody's docs. */
const PATH_CHARACTERS_MAX = 500;

/** What was told when the widget was opened last: so a returning reader sees the owner's button at once. */
function rememberedConfig(kept: StoredText, server: string): SiteConfig {
  return readConfig(jsonIn(kept.get() ?? ""), server);
}

/** Asks the server what holds on a page, and remembers what it says; undefined where it does not answer. */
async function loadConfig(
  { fetch, endpoint, domain, key }: Connection,
  kept: StoredText,
  path: string,
): Promise<SiteConfig | undefined> {
  try {
    const address = `${endpoint}v1/widget/${encodeURIComponent(domain)}?path=${encodeURIComponent(path)}`;
    const response = await fetch(address, {
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
  // A site that is published nowhere else is read on the reader site.
  const url = textOf(said["url"]) ?? textOf(said["readerUrl"]);
  return {
    name: textOf(said["name"]),
    url: /^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "") ? url : undefined,
    versions: textsOf(said["versions"]),
    languages: textsOf(said["languages"]),
    handsOver: said["handOver"] === true,
    look: readLook({ ...asRecord(said["widget"]), starterQuestions: said["starterQuestions"] }, server),
  };
}

const textOf = (value: unknown) => asText(value)?.trim() || undefined;
const textsOf = (value: unknown) => asList(value).filter((each): each is string => typeof each === "string");
