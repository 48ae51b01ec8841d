import { Brand } from "../kit/layout/brand.tsx";
import { Link, pathTo, useRoute } from "../router.ts";
import { sitePath } from "../site-view.ts";
import type { ListedSite } from "../use-sites.tsx";
import "./breadcrumbs.css";

interface BreadcrumbsProps {
  site: ListedSite | undefined;
  crumb: string | undefined;
}

/** `/dashboard/{organization}/{domain}/{part}`. */
const PART_SEGMENTS = 4;

/** The breadcrumbs to the page. At the top there are none: on a phone, Docent's name stands there. */
export function Breadcrumbs({ site, crumb }: BreadcrumbsProps) {
  const { path } = useRoute();
  // What is below a part of a site leads back to it.
  const part = path.length > PART_SEGMENTS ? pathTo(path.slice(0, PART_SEGMENTS)) : undefined;
  const way = [
    { label: "Sites", to: "/" },
    ...(site ? [{ label: site.name, to: crumb === undefined ? undefined : sitePath(site) }] : []),
    ...(crumb === undefined ? [] : [{ label: crumb, to: part }]),
  ];
  if (way.length === 1) {
    return (
      <div className="breadcrumbs">
        <span className="breadcrumbs-brand">
          <Brand />
        </span>
      </div>
    );
  }
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {way.map(({ label, to }) => (
          <li key={to ?? label}>
            {to === undefined ? <span aria-current="page">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
