import { Icon } from "../kit/icons/icon.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import { Link } from "../router.ts";
import { sitePath } from "../site-view.ts";
import type { ListedSite } from "../use-sites.tsx";
import "./site-card.css";

/** A site in the list of sites. */
export function SiteCard({ site }: { site: ListedSite }) {
  const { name, domain, url, pages, mayChange } = site;
  return (
    <article className="site-card">
      <div className="site-card-head">
        <h3 className="site-card-name">
          <Link to={sitePath(site)}>{name}</Link>
        </h3>
        {!mayChange && <Badge>View only</Badge>}
      </div>
      <p className="site-card-address truncate">
        <Icon name={url ? "globe" : "book"} size={15} />
        <span className="truncate">{url ? url.replace(/^https?:\/\//, "") : domain}</span>
      </p>
      <p className="site-card-numbers">{countOf(pages)}</p>
    </article>
  );
}

function countOf(pages: number): string {
  if (pages === 0) return "No pages yet";
  return pages === 1 ? "1 page" : `${formatNumber(pages)} pages`;
}
