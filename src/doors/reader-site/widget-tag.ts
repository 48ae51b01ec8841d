import type { Clock } from "@docent/kernel/lib/clock";
import type { AssistantKey, Keys } from "@docent/people/keys/keys";
import type { SiteDirectory } from "@docent/sites/site/directory";
import { isReadWithoutKey, type Site } from "@docent/sites/site/sites";
import type { ReaderPasses } from "../guard/guard.ts";
import type { ReaderAddresses, ReaderChoice } from "./addresses.ts";
import { type Html, html } from "./html.ts";

interface ReaderWidgetOptions {
  keys: Pick<Keys, "list">;
  directory: SiteDirectory;
  passes: ReaderPasses;
  basePath: string;
  clock: Clock;
}

/** The assistant in the pages of a public site's reader. */
export interface ReaderWidget {
  /** The tag that loads it; undefined where the site has no key that may stand in a public page. */
  tag(
    site: Site,
    page: {
      choice: ReaderChoice;
      addresses: Pick<ReaderAddresses, "searchAsYouType">;
      nonce: string;
      pass?: string | undefined;
    },
  ): Promise<Html | undefined>;
}

export function createReaderWidget(options: ReaderWidgetOptions): ReaderWidget {
  const { keys, directory, passes, basePath, clock } = options;
  return {
    async tag(site, { choice: { version, language, theme }, addresses, nonce, pass: own }) {
      const key = chooseKey(await keys.list(), site, directory, clock());
      if (key === undefined) return undefined;
      // Where any origin may ask, and anybody, the sandboxed page may.
      const pass = own ?? (site.settings.origins.length > 0 ? passes.query(site) : undefined);
      const query = pass !== undefined && html` data-query="${pass}"`;
      return html`<script nonce="${nonce}" src="${basePath}/widget.js" data-domain="${site.domain}" data-key="${key.key}" data-search="${addresses.searchAsYouType}"${query}${
        version !== undefined && version !== "" && html` data-version="${version}"`
      }${language !== undefined && language !== "" && html` data-language="${language}"`}${
        theme !== undefined && html` data-theme="${theme}"`
      } defer></script>`;
    },
  };
}

/**
 * A key that everybody may see: it works from any address, and opens nothing but sites whose pages are public anyhow, or whose
 * readers have to sign in besides.
 * One that is for this site alone comes first, then the oldest.
 */
function chooseKey(
  keys: readonly AssistantKey[],
  site: Site,
  directory: Pick<SiteDirectory, "all">,
  now: number,
): AssistantKey | undefined {
  const siblings = directory.all().filter((each) => each.organizationId === site.organizationId);
  const opens = (key: AssistantKey) => siblings.filter(({ id }) => key.allSites || key.siteIds.includes(id));
  return keys
    .filter((key) => key.organizationId === site.organizationId && key.addresses.length === 0)
    .filter((key) => key.revokedAt === undefined && (key.expiresAt ?? Number.POSITIVE_INFINITY) > now)
    .filter((key) => opens(key).some(({ id }) => id === site.id))
    .filter((key) => opens(key).every(isReadWithoutKey))
    .toSorted(
      (a, b) =>
        Number(a.allSites) - Number(b.allSites) ||
        a.siteIds.length - b.siteIds.length ||
        a.createdAt - b.createdAt,
    )[0];
}
