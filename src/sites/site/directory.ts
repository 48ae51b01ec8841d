import type { Site, SiteStore } from "./sites.ts";

/** All sites in memory, for questions that every request asks and that cannot wait. */
export interface SiteDirectory {
  /** Reads the sites again if they may have changed. */
  refresh(): Promise<void>;
  all(): Site[];
  byDomain(domain: string): Site | undefined;
  /** Sites published under that host: several may share one. */
  byHost(host: string): Site[];
  /** The site that the operator gave that host name. */
  byHostName(hostName: string): Site | undefined;
}

/** A directory that follows the store's revision, so that a change by the CLI takes effect at once. */
export function createSiteDirectory(store: Pick<SiteStore, "listSites" | "revision">): SiteDirectory {
  let seen: string | undefined;
  let begun = 0;
  /** The latest reading that is shown: one that began before it is older, however late it ends. */
  let shown = 0;
  let domains = new Map<string, Site>();
  let hosts = new Map<string, Site[]>();
  let hostNames = new Map<string, Site>();

  return {
    async refresh() {
      begun += 1;
      const own = begun;
      const revision = await store.revision();
      if (revision === seen) return;
      const sites = await store.listSites();
      if (own < shown) return;
      shown = own;
      domains = new Map(sites.map((site) => [site.domain, site]));
      hosts = Map.groupBy(
        sites.filter((site) => site.host !== undefined),
        (site) => site.host ?? "",
      );
      hostNames = new Map(sites.flatMap((site) => site.settings.hosts.map((name) => [name, site])));
      seen = revision;
    },
    all: () => [...domains.values()],
    byDomain: (domain) => domains.get(domain),
    byHost: (host) => hosts.get(host) ?? [],
    byHostName: (hostName) => hostNames.get(hostName),
  };
}
