import { useEffect, useRef, useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, toApiError } from "../api-error.ts";
import { type AssistantKey, usableKeys } from "../site-keys.ts";
import type { SiteView } from "../site-view.ts";

/** The key that a site's pages ask with, as far as it is known. */
export interface SiteKey {
  key: string | undefined;
  error: ApiError | undefined;
  again(): void;
}

/** The site's assistant key: one that is there and opens it from everywhere, or else a new one. */
export function useSiteKey(site: SiteView): SiteKey {
  const api = useApi();
  const [found, setFound] = useState<{ domain: string; key?: string; error?: ApiError }>();
  const [attempt, setAttempt] = useState(0);
  // Two looks at the same time would make two keys.
  const looking = useRef("");
  const { domain, name, organizationId } = site;
  useEffect(() => {
    const look = `${domain} ${attempt}`;
    if (looking.current === look) return;
    looking.current = look;
    (async () => {
      const keys = await api.get<AssistantKey[]>("/v1/admin/keys");
      const known = usableKeys(keys, { domain, organizationId }).find(
        ({ addresses }) => addresses.length === 0,
      );
      const wanted = { name: `${name} widget`.slice(0, 200), organization: organizationId, sites: [domain] };
      return known ?? api.post<AssistantKey>("/v1/admin/keys", wanted);
    })()
      .then(({ key }) => setFound({ domain, key }))
      .catch((error) => setFound({ domain, error: toApiError(error) }));
  }, [api, domain, name, organizationId, attempt]);
  const own = found?.domain === domain ? found : undefined;
  return { key: own?.key, error: own?.error, again: () => setAttempt(attempt + 1) };
}
