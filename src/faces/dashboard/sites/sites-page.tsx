import { ButtonLink } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import { Link } from "../router.ts";
import { type Session, useSession } from "../session-context.ts";
import { sitePath } from "../site-view.ts";
import { type ListedSite, useSites } from "../use-sites.tsx";
import "./site-card.css";

/** `/`: the sites that the member sees. */
export function SitesPage() {
  const sites = useSites();
  const session = useSession();
  const mayAdd = canAdd(session);
  const add = mayAdd && (
    <ButtonLink to="/new" kind="primary" icon="add">
      Add a site
    </ButtonLink>
  );
  const hasSites = sites.state === "ready" && sites.data.length > 0;
  return (
    <>
      <PageHeader
        title="Sites"
        description="Each one is documentation with an assistant of its own."
        actions={hasSites && add}
      />
      <Loaded of={sites} label="Loading the sites" shape="cards" lines={3} />
      {sites.state === "ready" && !hasSites && <NoSites action={add} mayAdd={mayAdd} />}
      {hasSites && <SitesByOrganization sites={sites.data} session={session} />}
    </>
  );
}

const canAdd = ({ member, organizations }: Session) =>
  organizations.length > 0 && (member.isServerOwner || organizations.some(({ role }) => role === "owner"));

function NoSites({ action, mayAdd }: { action: React.ReactNode; mayAdd: boolean }) {
  return (
    <Empty
      icon="book"
      title={mayAdd ? "Put your docs to work" : "No site yet"}
      text={
        mayAdd
          ? "Name a site and point it at your docs: a folder, a website, a git repository. A few minutes later, readers can ask."
          : "When an owner adds a site to your organization, it stands here."
      }
      action={action}
    />
  );
}

function SitesByOrganization({ sites, session }: { sites: readonly ListedSite[]; session: Session }) {
  const groups = session.organizations
    .map(({ id, name }) => ({ id, name, sites: sites.filter((site) => site.organizationId === id) }))
    .filter((group) => group.sites.length > 0);
  return groups.map((group) => (
    <section key={group.id} className="site-group" aria-label={group.name}>
      {groups.length > 1 && <h2 className="site-group-name">{group.name}</h2>}
      <ul className="site-cards">
        {group.sites.map((site) => (
          <li key={site.domain}>
            <SiteCard site={site} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** A site in the list of sites. */
function SiteCard({ site }: { site: ListedSite }) {
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
