import { Icon } from "../kit/icons/icon.tsx";
import { Menu, type MenuItem } from "../kit/overlay/menu.tsx";
import { useSession } from "../session.ts";
import { sitePath } from "../site-view.ts";
import { type ListedSite, useSites } from "../use-sites.tsx";
import "./site-switcher.css";

/** The site that is looked at, and the others to go to. */
export function SiteSwitcher({ site }: { site: ListedSite }) {
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
