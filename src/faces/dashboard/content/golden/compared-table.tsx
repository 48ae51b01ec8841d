import { type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import type { ComparedQuestion, GoldenStanding } from "../../replies.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import { placeWords, shownPath } from "./golden-words.ts";

interface ComparedTableProps {
  site: SiteView;
  label: string;
  questions: readonly ComparedQuestion[];
}

/** Questions that find their page at another place: which page came before, which comes now, and why. */
export function ComparedTable({ site, label, questions }: ComparedTableProps) {
  return <Table label={label} rows={questions} columns={columnsOf(site)} keyOf={({ id }) => id} />;
}

const columnsOf = (site: SiteView): Column<ComparedQuestion>[] => [
  {
    title: "Question",
    cell: ({ question, expected }) => (
      <span className="stack-tight">
        <span>{question ?? "A question that is not kept any more"}</span>
        <span className="mono small quiet wrap-anywhere">{expected.map(shownPath).join(", ")}</span>
      </span>
    ),
  },
  { title: "Before", cell: ({ before }) => <Standing site={site} standing={before} /> },
  { title: "Now", cell: ({ after }) => <Standing site={site} standing={after} /> },
  { title: "Why", cell: ({ why }) => <span className="wrap-anywhere">{why?.text ?? "–"}</span> },
];

/** The place of the question's page, and the page that comes first. */
function Standing({ site, standing }: { site: SiteView; standing: GoldenStanding }) {
  const { rank, first } = standing;
  return (
    <span className="stack-tight">
      <Badge tone={rank === null ? "warn" : "quiet"}>{placeWords(standing)}</Badge>
      {first !== null && (
        <span className="small wrap-anywhere">
          First: <Link to={indexedPagePath(site, first)}>{shownPath(first)}</Link>
        </span>
      )}
    </span>
  );
}
