import { marksOf } from "../../kit/runs/run-words.ts";
import { type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import type { ExplainedPassage } from "../../replies.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView } from "../../site-view.ts";
import { STANDINGS } from "./standing-words.ts";

interface FoundPassagesProps {
  site: SiteView;
  label: string;
  passages: readonly ExplainedPassage[];
}

/** Passages in the order in which they were found, with what each way of searching says of them. */
export function FoundPassages({ site, label, passages }: FoundPassagesProps) {
  const columns: Column<ExplainedPassage>[] = [
    { title: "Passage", cell: (passage) => <Passage site={site} passage={passage} /> },
    { title: "Words", isNarrow: true, align: "end", cell: ({ keyword }) => <Rank ranked={keyword} /> },
    { title: "Meaning", isNarrow: true, align: "end", cell: ({ nearest }) => <Nearness nearest={nearest} /> },
    { title: "Fused", isNarrow: true, align: "end", cell: ({ fused }) => <Rank ranked={fused} /> },
    {
      title: "Relevance",
      isNarrow: true,
      align: "end",
      cell: ({ relevance }) => (
        <span className="relevance">
          <meter min={0} max={1} value={relevance} aria-hidden="true" />
          {relevance.toFixed(2)}
        </span>
      ),
    },
  ];
  return (
    <Table
      label={label}
      rows={passages}
      columns={columns}
      keyOf={({ path, version, language, anchor, snippet, rank }) =>
        [path, version, language, anchor, rank, snippet].join("\0")
      }
    />
  );
}

function Passage({ site, passage }: { site: SiteView; passage: ExplainedPassage }) {
  const { path, title, headings, anchor, snippet, has, lacks, linked, standing, rank } = passage;
  const { label, tone } = STANDINGS[standing];
  return (
    <div className="place">
      <span className="row">
        {rank !== null && <span className="content-rank">{rank}</span>}
        <Link to={indexedPagePath(site, path)}>{title || path || "First page"}</Link>
        {marksOf(passage).map((mark) => (
          <Badge key={mark}>{mark}</Badge>
        ))}
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="quiet small mono wrap-anywhere">
        /{path}
        {anchor !== "" && `#${anchor}`}
      </span>
      {headings.length > 0 && <span className="small">{headings.join(" › ")}</span>}
      <span className="quiet small content-snippet">{snippet}</span>
      <span className="small">
        {has.length > 0 && <>has {has.join(", ")}</>}
        {has.length > 0 && lacks.length > 0 && "; "}
        {lacks.length > 0 && <span className="quiet">lacks {lacks.join(", ")}</span>}
      </span>
      {linked.length > 0 && <span className="small">links call its page {linked.join(", ")}</span>}
    </div>
  );
}

/** The rank that one way of searching gave. */
function Rank({ ranked }: { ranked: ExplainedPassage["keyword"] }) {
  return <span className="quiet">{ranked === null ? "–" : `no. ${ranked.rank}`}</span>;
}

/** The nearness in meaning, and the rank that it gave. */
function Nearness({ nearest }: { nearest: ExplainedPassage["nearest"] }) {
  if (nearest === null) return <span className="quiet">–</span>;
  return (
    <span>
      {nearest.score.toFixed(2)}
      <span className="quiet small"> {nearest.rank === null ? "not proposed" : `no. ${nearest.rank}`}</span>
    </span>
  );
}
