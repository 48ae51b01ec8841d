import { keepLatest } from "@docent/kernel/lib/remember";
import { encodePath } from "@docent/reading/page/page-path";
import { type Audience, audienceKey } from "@docent/sites/pages/audience";
import type { PageStore } from "@docent/sites/pages/pages";
import { siteSettingsSchema } from "@docent/sites/site/settings";
import { isReadWithoutKey, type Site } from "@docent/sites/site/sites";
import { z } from "zod";
import type { Guarded } from "../guard/guard.ts";
import { type Guard, gives, type Operation, operation } from "../operation.ts";
import { createStarters, type StartersDeps } from "./starters.ts";

/** A change by the owner is seen this soon; a reader who turns pages asks once. */
const HEADERS = {
  "cache-control": "private, max-age=60",
  vary: "authorization, origin, x-docent-reader, cookie",
};
/** The most versions, and languages, that the widget is told. */
const SCOPES_MAX = 100;
const SITES_KEPT = 500;

type Scopes = Awaited<ReturnType<PageStore["listScopes"]>>;

/** The reply: what the widget is told. */
export const widgetShape = z.lazy(() => {
  const { starterQuestions, contact, language, widget } = siteSettingsSchema.shape;
  return z
    .object({
      domain: z.string(),
      name: z.string(),
      url: z.string().nullable(),
      starterQuestions,
      contact,
      language,
      widget,
      /** Whether a reader may hand a conversation over to a person. */
      handOver: z.boolean(),
      versions: z.array(z.string()),
      languages: z.array(z.string()),
      /** Of the built-in reader, where the site's pages are public. */
      readerUrl: z.string().nullable(),
    })
    .meta({ id: "Widget" });
}) satisfies z.ZodType<ReturnType<typeof widgetJson>>;

const querySchema = z.object({
  path: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "Where the reader is: questions to begin with are of that page." }),
});

interface WidgetDeps extends StartersDeps {
  pages: StartersDeps["pages"] & Pick<PageStore, "listScopes">;
  isHandOverOffered: (site: Site) => boolean;
  publicUrl: () => string;
}

/** Gives what the widget is to say and to look like, as the site's owner has set it. */
export function widgetOperation(guard: Guard<Guarded>, deps: WidgetDeps): Operation {
  const scopesOf = rememberScopes(deps.pages);
  const startersFor = createStarters(deps);
  return operation({
    id: "getWidget",
    method: "GET",
    path: "/v1/widget/:domain",
    tag: "Widget",
    guard,
    isInDiscovery: true,
    summary: "Give what the widget says and looks like",
    description:
      "As the site's owner has set it. Where the owner has set no questions to begin with, they are made from the headings " +
      "of the page at `path`, and from what several readers asked in the same words. It may be kept for a minute.",
    query: querySchema,
    replies: gives(200, "The site, and how its widget looks.", widgetShape),
    async run({ site, reader, query, leave }) {
      try {
        const { path } = query();
        const { audience } = reader;
        const [scopes, starters] = await Promise.all([
          scopesOf(site, audience),
          startersFor(site, path, audience),
        ]);
        return Response.json(widgetJson(site, scopes, starters, deps), { headers: HEADERS });
      } finally {
        leave();
      }
    },
  });
}

/** What the widget is told of a site: nothing that its readers could not see on a page that shows it. */
function widgetJson(
  site: Site,
  { versions, languages }: Scopes,
  starterQuestions: string[],
  { publicUrl, isHandOverOffered }: Pick<WidgetDeps, "publicUrl" | "isHandOverOffered">,
) {
  const { domain, name, url, settings } = site;
  const { contact, language, widget } = settings;
  const isRead = isReadWithoutKey(site);
  return {
    domain,
    name,
    // Pages are below it, whatever names their headings.
    url: url?.replace(/\/\?id=$/, "") ?? null,
    starterQuestions,
    contact,
    language,
    handOver: isHandOverOffered(site),
    versions,
    languages,
    readerUrl: isRead ? `${publicUrl()}/sites/${encodePath(domain)}` : null,
    widget: { ...widget, logo: logoOf(site, widget.logo) },
  };
}

/** A path is one of the site's own: the widget may stand on pages of others. */
function logoOf({ url }: Pick<Site, "url">, logo: string): string {
  return logo.startsWith("/") && url !== undefined ? new URL(logo, url).href : logo;
}

/** Keeps the versions and languages of a site for a generation: telling them takes a look at every page. */
function rememberScopes(
  pages: Pick<PageStore, "listScopes">,
): (site: Site, audience: Audience) => Promise<Scopes> {
  const kept = new Map<string, { generation: number; scopes: Promise<Scopes> }>();
  return ({ id, generation }, audience) => {
    const key = `${id} ${audienceKey(audience)}`;
    const known = kept.get(key);
    const own =
      known?.generation === generation
        ? known
        : { generation, scopes: pages.listScopes(id, audience, SCOPES_MAX) };
    keepLatest(kept, key, own, SITES_KEPT);
    own.scopes.catch(() => kept.delete(key));
    return own.scopes;
  };
}
