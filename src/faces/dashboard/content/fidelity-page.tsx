import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Card } from "../kit/layout/card.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { counted, formatNumber } from "../kit/text/format-number.ts";
import { type FidelityReport, type Finding, siteOperations } from "../replies.ts";
import { Link } from "../router.ts";
import { indexedPagePath, type SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { ContentHeader } from "./content-header.tsx";

type Kind = "markup" | "images" | "links" | "leftOut" | "signs";

/** What is looked for, in the order of how much readers mind. */
const KINDS: readonly { kind: Kind; title: string; says: string; none: string }[] = [
  {
    kind: "markup",
    title: "Markup left over",
    says: "Readers see marks of the docs' format in place of what they stand for.",
    none: "No page shows markup.",
  },
  {
    kind: "images",
    title: "Images missing",
    says: "Pages show an image by this name that is not in their source, or could not be kept.",
    none: "Every image of the sources is there. Of websites, images are not kept.",
  },
  {
    kind: "links",
    title: "Links that lead nowhere",
    says: "Links to pages of this site, or to places on them, that there are not.",
    none: "Every link within the site leads to a page.",
  },
  {
    kind: "leftOut",
    title: "Left out",
    says: "Files and addresses of the sources that became no page, and why.",
    none: "Nothing was left out.",
  },
  {
    kind: "signs",
    title: "Unlike your site",
    says: "Sources whose last run does not look as if all of the docs had been read.",
    none: "Every source looks as if all of it had been read.",
  },
];

/** Whether readers get what the docs have: what is wrong, with examples. */
export function FidelityPage({ site }: { site: SiteView }) {
  const report = useResource<FidelityReport>(`${siteOperations(site.domain)}/fidelity`);
  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="report" />
      {report.state === "loading" && (
        <p className="quiet" role="status">
          Docent looks at every page, once for each generation. A thousand pages take about a second.
        </p>
      )}
      <Loaded of={report} shape="rows" label="Looking at every page">
        {(found) =>
          found.pages === 0 ? (
            <Empty
              icon="page"
              title="No pages yet"
              text="There is something to look at when a source has been read."
            />
          ) : (
            <Report site={site} report={found} />
          )
        }
      </Loaded>
    </div>
  );
}

function Report({ site, report }: { site: SiteView; report: FidelityReport }) {
  return (
    <>
      <p className="quiet">
        {counted(report.pages, "page")} of generation {report.generation}{" "}
        {report.pages === 1 ? "was" : "were"} looked at as readers see {report.pages === 1 ? "it" : "them"}
        {report.isPart && "; the site has more"}.
      </p>
      {KINDS.map(({ kind, title, says, none }) => (
        <Card
          key={kind}
          title={title}
          description={report[kind].count === 0 ? none : says}
          actions={
            <Badge tone={report[kind].count === 0 ? "good" : kind === "leftOut" ? "quiet" : "warn"}>
              {formatNumber(report[kind].count)}
            </Badge>
          }
        >
          {report[kind].count > 0 && <Examples site={site} title={title} found={report[kind]} />}
        </Card>
      ))}
    </>
  );
}

interface ExamplesProps {
  site: SiteView;
  title: string;
  found: FidelityReport[Kind];
}

function Examples({ site, title, found: { count, examples } }: ExamplesProps) {
  const columns: readonly Column<Finding>[] = [
    {
      title: "Where",
      cell: ({ path, place }) =>
        path === null ? (
          <span className="mono wrap-anywhere">{place}</span>
        ) : (
          <Link to={indexedPagePath(site, path)}>{place || path || "/"}</Link>
        ),
    },
    { title: "What", cell: ({ detail }) => <span className="small wrap-anywhere">{detail}</span> },
  ];
  return (
    <details className="more-fields">
      <summary>
        {examples.length < count
          ? `${formatNumber(examples.length)} of ${formatNumber(count)}`
          : counted(count, "example")}
      </summary>
      <Table label={title} rows={examples} columns={columns} keyOf={exampleKey} />
    </details>
  );
}

const exampleKey = ({ path, place, detail }: Finding) => `${path ?? place} ${detail}`;
