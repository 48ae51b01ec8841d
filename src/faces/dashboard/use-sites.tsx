import { createContext, type ReactNode, useContext, useMemo } from "react";
import { mayChange, useSession } from "./session-context.ts";
import type { SiteReply, SiteView } from "./site-view.ts";
import { type Resource, useResource } from "./use-resource.ts";

/** A site with what the list of sites tells besides. */
export interface ListedSite extends SiteView {
  pages: number;
  passages: number;
  createdAt: string | null;
}

/** Others change sites as well: with the command line, or in another browser. */
const LOOK_MS = 60_000;

const SitesContext = createContext<Resource<ListedSite[]> | undefined>(undefined);

/** The sites that the member sees. `reload()` after one was added, changed or removed. */
export function useSites(): Resource<ListedSite[]> {
  const sites = useContext(SitesContext);
  if (!sites) throw new Error("useSites is used outside of the app");
  return sites;
}

/** Reads the sites once for the whole app. */
export function SitesProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const reply = useResource<SiteReply[]>("/v1/admin/sites", { everyMs: LOOK_MS });
  const sites = useMemo<Resource<ListedSite[]>>(() => {
    if (reply.state !== "ready") return reply;
    const names = new Map(session.organizations.map(({ id, name }) => [id, name]));
    const listed = reply.data.map((site) => ({
      ...site,
      organizationName: names.get(site.organizationId) ?? site.organizationId,
      mayChange: mayChange(session, site.organizationId),
    }));
    return { ...reply, data: listed.sort(byName) };
  }, [reply, session]);
  return <SitesContext value={sites}>{children}</SitesContext>;
}

const byName = (one: SiteView, other: SiteView) =>
  one.organizationName.localeCompare(other.organizationName) || one.name.localeCompare(other.name);
