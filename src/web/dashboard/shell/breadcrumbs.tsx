import { Link } from "../router.ts";
import { sitePath } from "../site-view.ts";
import type { ListedSite } from "../sites/use-sites.tsx";
import { Brand } from "./brand.tsx";
import "./breadcrumbs.css";

interface BreadcrumbsProps {
  site: ListedSite | undefined;
  crumb: string | undefined;
}

/** The way from the top to the page. At the top there is none; where the sidebar is hidden, Docent's name stands there. */
export function Breadcrumbs({ site, crumb }: BreadcrumbsProps) {
  const way = [
    { label: "Sites", to: "/" },
    ...(site ? [{ label: site.name, to: sitePath(site) }] : []),
    ...(crumb ? [{ label: crumb, to: undefined }] : []),
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
        {way.map(({ label, to }, index) => (
          <li key={to ?? label}>
            {index === way.length - 1 || to === undefined ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Link to={to}>{label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
