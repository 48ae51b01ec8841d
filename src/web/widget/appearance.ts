import type { Connection } from "../conversation/connection.ts";
import type { Installation } from "./installation.ts";
import { type Look, mergeLooks } from "./look/look.ts";
import { loadConfig, rememberedConfig, type SiteConfig } from "./site-config.ts";
import { keep } from "./stored-text.ts";

/** How the widget looks on this page, as far as that is known. */
export interface Appearance {
  config(): SiteConfig;
  look(): Look;
  /** Asks the server what the site's owner has set. Tells whether that is other than it was thought to be. */
  load(): Promise<boolean>;
}

/** The page's word counts more than the owner's. Before the server is asked, what it said the last time is taken. */
export function createAppearance(installation: Installation, connection: Connection): Appearance {
  const { server, domain, target } = installation;
  const kept = keep("localStorage", `docent:look:${server}${domain}`);
  let config = rememberedConfig(kept, server);
  return {
    config: () => config,
    look() {
      const look = mergeLooks(config.look, installation.look);
      return look.variant === "inline" && target === undefined ? { ...look, variant: "button" } : look;
    },
    async load() {
      const loaded = await loadConfig(connection, kept);
      const isOther = loaded !== undefined && JSON.stringify(loaded) !== JSON.stringify(config);
      if (loaded) config = loaded;
      return isOther;
    },
  };
}
