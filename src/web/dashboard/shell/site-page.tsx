import { useEffect } from "react";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { NotFoundPage } from "../kit/feedback/not-found-page.tsx";
import type { RouteParams } from "../route-match.ts";
import { navigate, pathTo } from "../router.ts";
import { useSites } from "../use-sites.tsx";
import type { SiteRoute } from "./routes.tsx";

interface SitePageProps {
  path: string[];
  params: RouteParams;
  page: SiteRoute["page"];
}

/** A page about a site, when the site is known. An address with an organization's former name is put right. */
export function SitePage({ path, params, page: Page }: SitePageProps) {
  const sites = useSites();
  const site = sites.data?.find(({ domain }) => domain === params["domain"]);
  const organization = site?.organizationName;
  const isRenamed = organization !== undefined && organization !== params["organization"];
  useEffect(() => {
    if (!isRenamed || organization === undefined) return;
    const [dashboard = "", , ...rest] = path;
    const query = Object.fromEntries(new URLSearchParams(window.location.search));
    navigate(pathTo([dashboard, organization, ...rest], query), { replace: true });
  }, [isRenamed, organization, path]);
  if (sites.state === "loading") return <Loading label="Loading the site" lines={6} />;
  if (sites.state === "failed") return <Failed error={sites.error} retry={() => void sites.reload()} />;
  if (!site) return <NotFoundPage />;
  return <Page key={site.domain} site={site} params={params} />;
}
