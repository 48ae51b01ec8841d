import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import { type Column, Table } from "../table/table.tsx";
import { Badge } from "../text/badge.tsx";
import { becameWords, becauseWords, type NotedPlace } from "./became-words.ts";
import { DECISIONS, NOTE } from "./run-words.ts";

const columnsOf = (site: SiteView | undefined): readonly Column<NotedPlace>[] => [
  {
    title: "Place",
    cell: ({ location, found }) => (
      <div className="place">
        <span className="mono wrap-anywhere">{location}</span>
        <span className="quiet small">{found}</span>
      </div>
    ),
  },
  { title: "What it became", cell: (place) => <Became site={site} place={place} /> },
  {
    title: "Decision",
    isNarrow: true,
    cell: ({ decision, reason }) => {
      const { tone, label } = reason === "assumed" ? NOTE : DECISIONS[decision];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
];

/** The page that readers see of a place, how much of it there is, and what of it is not there. */
function Became({ site, place }: { site: SiteView | undefined; place: NotedPlace }) {
  const { page, path } = place;
  const because = becauseWords(place);
  return (
    <div className="place">
      {page && site && path !== null && (
        <Link to={indexedPagePath(site, path)} className="wrap-anywhere">
          {page.title}
        </Link>
      )}
      {place.reason !== "assumed" && <span className="quiet small">{becameWords(place)}</span>}
      {because && <span className="small wrap-anywhere">{because}</span>}
    </div>
  );
}

interface LedgerTableProps {
  label: string;
  entries: readonly NotedPlace[];
  /** Where the pages lead to; undefined where there are none among them. */
  site?: SiteView | undefined;
}

/** What became of each place of a source, and why of those that are no pages. */
export function LedgerTable({ label, entries, site }: LedgerTableProps) {
  return <Table label={label} rows={entries} columns={columnsOf(site)} keyOf={({ location }) => location} />;
}
