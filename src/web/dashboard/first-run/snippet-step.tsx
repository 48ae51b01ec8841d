import { CopyBox } from "../kit/buttons/copy-box.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { useSession } from "../session.ts";
import { snippetOf } from "../site-keys.ts";
import type { SiteView } from "../site-view.ts";
import type { SiteKey } from "./use-site-key.ts";

/** The line that puts the assistant on the pages. */
export function SnippetStep({ site, siteKey }: { site: SiteView; siteKey: SiteKey }) {
  const { publicUrl } = useSession();
  const { key, error, again } = siteKey;
  if (error) return <Failed error={error} retry={again} />;
  if (key === undefined) return <Loading lines={2} />;
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl);
  return (
    <div className="stack">
      <p className="quiet">Paste this line into your pages, before the end of the head or the body.</p>
      <CopyBox label="Snippet" text={snippetOf({ publicUrl, domain: site.domain, key, isInline: false })} />
      <p className="quiet small">
        The key in it is public: it is made to stand in a page, and asks questions of this site alone.
      </p>
      {isLocal && (
        <Notice tone="quiet">
          <code>{publicUrl}</code> is this machine alone. When the server has an address that your readers
          reach, set it as <code>public_url</code>, and the snippet has it.
        </Notice>
      )}
    </div>
  );
}
