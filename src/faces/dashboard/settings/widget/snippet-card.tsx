import { CopyBox } from "../../kit/buttons/copy-box.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Link } from "../../router.ts";
import { useSession } from "../../session.ts";
import { snippetOf, usableKeys, useKeys } from "../../site-keys.ts";
import { type SiteView, sitePath } from "../../site-view.ts";

/** What is pasted into a page, with the key that is made for it. */
export function SnippetCard({ site, isInline }: { site: SiteView; isInline: boolean }) {
  const { publicUrl } = useSession();
  const keys = useKeys();
  const [key] = keys.data === undefined ? [] : usableKeys(keys.data, site);
  const { origin } = new URL(publicUrl);
  return (
    <Card
      title="On your pages"
      description="Paste this before the end of the body, on every page that should have the assistant."
    >
      <div className="stack">
        <Loaded of={keys} label="Loading the keys" lines={2} />
        {keys.state === "ready" && key && (
          <CopyBox
            label="Snippet"
            text={snippetOf({ publicUrl, domain: site.domain, key: key.key, isInline })}
          />
        )}
        {keys.state === "ready" && !key && (
          <Notice tone="warn">
            The site has no key that works.{" "}
            {site.mayChange ? (
              <>
                <Link to={sitePath(site, "settings", "keys")}>Make one</Link>, and the snippet is here.
              </>
            ) : (
              "When an owner has made one, the snippet is here."
            )}
          </Notice>
        )}
        <details className="more">
          <summary>Pages with a Content-Security-Policy</summary>
          <div className="stack">
            <p>Add these to what the policy of your pages allows:</p>
            <CopyBox label="Content-Security-Policy" text={policyFor(origin)} />
            <p className="small quiet">
              With a nonce, put it on the script's tag. The widget's styles need nothing: no policy forbids
              the way in which they are set.
            </p>
          </div>
        </details>
      </div>
    </Card>
  );
}

const policyFor = (origin: string) =>
  [`script-src ${origin}`, `connect-src ${origin}`, "img-src data:"].join(";\n");
