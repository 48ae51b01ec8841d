import { OutsideLink } from "../kit/buttons/button.tsx";
import { CopyBox } from "../kit/buttons/copy.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import type { IconName } from "../kit/icons/icon-paths.ts";
import { hrefOf, Link, pathTo } from "../router.ts";
import { useSession } from "../session-context.ts";
import { snippetOf } from "../site-keys.ts";
import { type SiteView, sitePath } from "../site-view.ts";
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
          reach, set it as <code>public_url</code>, and the snippet will use it.
        </Notice>
      )}
    </div>
  );
}

/** Says that the docs can be read as a site here, and by whom. */
export function ReaderSiteNote({ site }: { site: SiteView }) {
  return (
    <Notice
      tone="good"
      action={<OutsideLink href={hrefOf(pathTo(["sites", site.domain]))}>Open the site</OutsideLink>}
    >
      <strong>Your docs site is live.</strong>{" "}
      {site.settings.public && site.settings.readers === "public" ? (
        "Anyone can read it."
      ) : (
        <>
          Only members can read it so far.{" "}
          <Link to={sitePath(site, "settings", "access")}>Open it to everyone</Link>
        </>
      )}
    </Notice>
  );
}

const NEXT: readonly { to: string[]; icon: IconName; title: string; text: string }[] = [
  {
    to: ["settings", "widget"],
    icon: "palette",
    title: "Make it yours",
    text: "Colour, position, words, starter questions",
  },
  { to: ["content"], icon: "folder", title: "Add more docs", text: "Other sources, versions, a schedule" },
  { to: ["gaps"], icon: "gap", title: "See what is missing", text: "Questions that your docs do not answer" },
  { to: [], icon: "chart", title: "Go to the overview", text: "What is asked, and how it goes" },
];

/** Where to go from here. */
export function NextSteps({ site }: { site: SiteView }) {
  return (
    <nav className="next-steps" aria-label="What to do next">
      {NEXT.map(({ to, icon, title, text }) => (
        <Link key={title} to={sitePath(site, ...to)} className="next-step">
          <Icon name={icon} size={20} />
          <span>
            <strong>{title}</strong>
            <span className="quiet small">{text}</span>
          </span>
        </Link>
      ))}
    </nav>
  );
}
