import { Component, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "../api.ts";
import { toApiError } from "../api-error.ts";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { NotFoundPage } from "../kit/feedback/not-found-page.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { matchRoute, type RouteParams } from "../route-match.ts";
import { basePath, navigate, pathTo, useRoute } from "../router.ts";
import { type Session, SessionContext, type SignedOut } from "../session-context.ts";
import { Gate, nextPath, SignInPage } from "../sign-in/sign-in-page.tsx";
import { SitesProvider, useSites } from "../use-sites.tsx";
import { Shell } from "./frame.tsx";
import { SERVER_ROUTES, SITE_ROUTES, type SiteRoute } from "./routes.tsx";
import { useScrollPosition } from "./use-scroll-position.ts";

interface PagesProps {
  session: Session | undefined;
  setSession: (session: Session | undefined) => void;
}

/** The page that the address names, and its title, spoken when it was moved to. */
export function Pages(props: PagesProps) {
  const { path } = useRoute();
  const title = useArrival(path);
  useScrollPosition();
  return (
    <>
      <div className="visually-hidden" role="status">
        {title}
      </div>
      <Page {...props} />
    </>
  );
}

/** The page for who is signed in; the way in for who is not. */
function Page({ session, setSession }: PagesProps) {
  const { path, query } = useRoute();
  const isSignIn = path[0] === "sign-in" && path.length === 1;
  const next = nextPath(query.get("next"));
  const enter = useCallback(
    (entered: Session) => {
      setSession(entered);
      navigate(next, { replace: true });
    },
    [setSession, next],
  );
  if (isSignIn) return <SignInPage onSignedIn={enter} />;
  if (!session) return <Gate onSignedIn={setSession} />;
  return <SignedIn path={path} session={session} setSession={setSession} />;
}

interface SignedInProps extends PagesProps {
  path: string[];
  session: Session;
}

function SignedIn({ path, session, setSession }: SignedInProps) {
  const api = useApi();
  const state = useMemo(
    () => ({
      session,
      reload: async () => setSession(await api.get<Session>("/v1/session")),
      async signOut() {
        // Where a provider or a proxy signed in, one signs out there too.
        const out = await api.delete<SignedOut | undefined>("/v1/session");
        // What was read belongs to who was signed in: nothing of it stays in this page.
        window.location.assign(out?.logoutUrl ?? `${basePath()}/sign-in`);
      },
    }),
    [api, session, setSession],
  );
  const found = useMemo(() => findPage(path), [path]);
  const key = path.join("/");
  useEffect(() => {
    if (path.length === 1 && path[0] === "dashboard") navigate("/", { replace: true });
  }, [path]);
  return (
    <SessionContext value={state}>
      <SitesProvider>
        <Shell domain={found?.params["domain"]} crumb={found?.crumb}>
          <PageBoundary key={key}>{found?.element ?? <NotFoundPage />}</PageBoundary>
        </Shell>
      </SitesProvider>
    </SessionContext>
  );
}

/** What leads nowhere inside a site keeps the site around it. */
const UNKNOWN_OF_SITE: SiteRoute = { pattern: "/dashboard/:organization/:domain/*", page: NotFoundPage };

function findPage(path: string[]) {
  const server = firstMatch(SERVER_ROUTES, path);
  if (server) {
    const { page: Page, crumb } = server.route;
    return { params: server.params, crumb, element: <Page params={server.params} /> };
  }
  const site = firstMatch([...SITE_ROUTES, UNKNOWN_OF_SITE], path);
  if (!site) return undefined;
  const { params, route } = site;
  return { params, crumb: route.crumb, element: <SitePage path={path} params={params} page={route.page} /> };
}

function firstMatch<Route extends { pattern: string }>(
  routes: readonly Route[],
  path: readonly string[],
): { route: Route; params: RouteParams } | undefined {
  for (const route of routes) {
    const params = matchRoute(route.pattern, path);
    if (params) return { route, params };
  }
  return undefined;
}

interface PageBoundaryProps {
  children: ReactNode;
}

/** Keeps a fault in a page: the rest stays, and the page can be tried again. React asks for a class here. */
class PageBoundary extends Component<PageBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <>
        <PageHeader title="This page broke" />
        <Failed error={toApiError(this.state.error)} retry={() => this.setState({ error: undefined })} />
      </>
    );
  }
}

interface SitePageProps {
  path: string[];
  params: RouteParams;
  page: SiteRoute["page"];
}

/** A page about a site, when the site is known. An address with an organization's former name is put right. */
function SitePage({ path, params, page: Page }: SitePageProps) {
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

/** How long a page may take to show its heading. */
const ARRIVAL_MS = 10_000;

/**
 * After a move to another page, the keyboard is at its heading, which a screen reader then speaks. Not where something in
 * the page took the focus itself, and not when the app begins: there the browser's own beginning is right. Gives the title
 * to be spoken.
 */
function useArrival(path: readonly string[]): string {
  const key = path.join("/");
  const [title, setTitle] = useState("");
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    return whenHeadingIsThere((heading) => {
      const focused = document.activeElement;
      const isTaken = focused?.closest("main, dialog") && focused !== document.body && focused.id !== "main";
      if (!isTaken) heading.focus({ preventScroll: true });
      setTitle(document.title);
    });
  }, [key]);
  return title;
}

function whenHeadingIsThere(then: (heading: HTMLElement) => void): () => void {
  const find = () => document.querySelector<HTMLElement>("main h1");
  const found = find();
  if (found) {
    then(found);
    return () => {};
  }
  const observer = new MutationObserver(() => {
    const heading = find();
    if (!heading) return;
    stop();
    then(heading);
  });
  const timer = setTimeout(() => observer.disconnect(), ARRIVAL_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}
