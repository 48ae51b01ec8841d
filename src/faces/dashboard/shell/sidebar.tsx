import { Icon } from "../kit/icons/icon.tsx";
import type { IconName } from "../kit/icons/icon-paths.ts";
import { Brand } from "../kit/layout/brand.tsx";
import { Link, useRoute } from "../router.ts";
import { useSession } from "../session-context.ts";
import { sitePath } from "../site-view.ts";
import { type ListedSite, useSites } from "../use-sites.tsx";
import "./sidebar.css";
import { Menu, type MenuItem } from "../kit/overlay/menu.tsx";
import "./site-switcher.css";

interface Place {
  label: string;
  icon: IconName;
  to: string;
  isCurrent: boolean;
}

const SITE_PLACES: readonly { label: string; icon: IconName; segment: string }[] = [
  { label: "Overview", icon: "chart", segment: "" },
  { label: "Conversations", icon: "chat", segment: "conversations" },
  { label: "Gaps", icon: "gap", segment: "gaps" },
  { label: "Answers", icon: "answer", segment: "answers" },
  { label: "Content", icon: "book", segment: "content" },
  { label: "Playground", icon: "play", segment: "playground" },
  { label: "Settings", icon: "settings", segment: "settings" },
];

/** The links of the sidebar: to the site's pages, and to the server's. */
export function Sidebar({ site }: { site: ListedSite | undefined }) {
  const { path } = useRoute();
  const { member, organizations, version } = useSession();
  const server: Place[] = [
    { label: "Sites", icon: "site", to: "/", isCurrent: path.length === 0 || path[0] === "new" },
    place("Members", "people", "members", path),
  ];
  // A viewer sees what a site has, and not what its owners do.
  if (member.isServerOwner || organizations.some(({ role }) => role === "owner"))
    server.push(place("Notices", "bell", "notices", path), place("Audit log", "clock", "audit", path));
  if (member.isServerOwner) server.push(place("Server", "server", "server", path));
  return (
    <div className="sidebar">
      <Link to="/" className="sidebar-brand" aria-label="Docent: all sites">
        <Brand />
      </Link>
      {site && <SiteSwitcher site={site} />}
      {site && <Places label={site.name} places={sitePlaces(site, path)} />}
      <Places label="Server" places={server} heading={site ? "Docent" : undefined} />
      <p className="sidebar-foot">Docent {version}</p>
    </div>
  );
}

const place = (label: string, icon: IconName, segment: string, path: string[]): Place => ({
  label,
  icon,
  to: `/${segment}`,
  isCurrent: path[0] === segment,
});

/** `/dashboard/{organization}/{domain}`, and then what it is about. */
const SITE_SEGMENTS = 3;

function sitePlaces(site: ListedSite, path: string[]): Place[] {
  const current = path[SITE_SEGMENTS] ?? "";
  return SITE_PLACES.map(({ label, icon, segment }) => ({
    label,
    icon,
    isCurrent: segment === current,
    to: segment === "" ? sitePath(site) : sitePath(site, segment),
  }));
}

interface PlacesProps {
  label: string;
  places: readonly Place[];
  heading?: string | undefined;
}

function Places({ label, places, heading }: PlacesProps) {
  return (
    <nav className="sidebar-nav" aria-label={label}>
      {heading && <p className="sidebar-heading">{heading}</p>}
      <ul>
        {places.map(({ label: name, icon, to, isCurrent }) => (
          <li key={to}>
            <Link to={to} className="sidebar-link" aria-current={isCurrent ? "page" : undefined}>
              <Icon name={icon} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The site that is looked at, and the others to go to. */
function SiteSwitcher({ site }: { site: ListedSite }) {
  const sites = useSites().data ?? [];
  const { organizations } = useSession();
  const isOne = organizations.length < 2;
  const items: MenuItem[] = sites.map((each) => ({
    label: each.name,
    note: isOne ? each.domain : `${each.organizationName} · ${each.domain}`,
    to: sitePath(each),
    isCurrent: each.domain === site.domain,
  }));
  return (
    <div className="site-switcher">
      <Menu
        label="Choose a site"
        align="start"
        kind="plain"
        className="site-switcher-button"
        items={[...items, { label: "All sites", icon: "site", to: "/" }]}
      >
        <span className="site-switcher-text">
          <span className="visually-hidden">Site: </span>
          <span className="truncate">{site.name}</span>
          <span className="site-switcher-note truncate">{isOne ? site.domain : site.organizationName}</span>
        </span>
        <Icon name="switch" size={16} />
      </Menu>
    </div>
  );
}
