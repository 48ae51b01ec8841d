import type { ReactNode } from "react";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { type Column, Table } from "../../kit/table/table.tsx";
import { counted, formatNumber } from "../../kit/text/format-number.ts";
import { Time } from "../../kit/text/time.tsx";
import { type GenerationReport, type ReadersQuestion, siteOperations } from "../../replies.ts";
import type { RouteParams } from "../../route-match.ts";
import { Link } from "../../router.ts";
import { indexedPagePath, type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import { ContentHeader } from "../content-header.tsx";
import { ComparedTable } from "./compared-table.tsx";
import { shownPath } from "./golden-words.ts";

/** What a generation changed for readers. */
export function GenerationReportPage({ site, params }: { site: SiteView; params: RouteParams }) {
  const number = encodeURIComponent(params["number"] ?? "");
  const report = useResource<GenerationReport>(`${siteOperations(site.domain)}/generations/${number}/report`);
  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="generations" />
      <p>
        <Link to={sitePath(site, "content", "generations")}>All generations</Link>
      </p>
      <Loaded of={report} shape="rows" label="Reading the report">
        {(found) => <Report site={site} report={found} />}
      </Loaded>
    </div>
  );
}

function Report({ site, report }: { site: SiteView; report: GenerationReport }) {
  const { number, before, at, golden, questions } = report;
  return (
    <>
      <p className="quiet">
        Generation {number}
        {before !== null && `, beside generation ${before}`}, made <Time at={at} />.
      </p>
      {golden !== null && (
        <Card
          title="Golden questions"
          description={`${counted(golden.asked, "question")} asked: ${golden.worse.length} worse, ${golden.better.length} better.`}
        >
          {golden.worse.length > 0 && (
            <ComparedTable site={site} label="Questions that got worse" questions={golden.worse} />
          )}
          {golden.better.length > 0 && (
            <ComparedTable site={site} label="Questions that got better" questions={golden.better} />
          )}
        </Card>
      )}
      <QuestionsCard site={site} questions={questions} />
      <PagesCard site={site} pages={report.pages} />
    </>
  );
}

function QuestionsCard({ site, questions }: { site: SiteView; questions: GenerationReport["questions"] }) {
  const { asked, gained, lost } = questions;
  return (
    <Card
      title="Readers’ questions"
      description={
        asked === 0
          ? "Nobody has asked anything yet that could be asked again."
          : `${counted(asked, "question")} asked again: ${gained.length} answered now and not before, ${lost.length} not any more.`
      }
    >
      {lost.length > 0 && <ReadersTable site={site} label="Not answered any more" rows={lost} />}
      {gained.length > 0 && <ReadersTable site={site} label="Answered now" rows={gained} />}
    </Card>
  );
}

interface ReadersTableProps {
  site: SiteView;
  label: string;
  rows: readonly ReadersQuestion[];
}

function ReadersTable({ site, label, rows }: ReadersTableProps) {
  const columns: Column<ReadersQuestion>[] = [
    {
      title: label,
      cell: ({ messageId, question }) => (
        <Link to={sitePath(site, "conversations", messageId)}>{question}</Link>
      ),
    },
    { title: "Asked", isNarrow: true, align: "end", cell: ({ asked }) => formatNumber(asked) },
    { title: "Page", cell: ({ page }) => page !== null && <PageLink site={site} path={page} /> },
  ];
  return <Table label={label} rows={rows} columns={columns} keyOf={({ messageId }) => messageId} />;
}

const PageLink = ({ site, path }: { site: SiteView; path: string }) => (
  <Link className="wrap-anywhere" to={indexedPagePath(site, path)}>
    {shownPath(path)}
  </Link>
);

function PagesCard({ site, pages }: { site: SiteView; pages: GenerationReport["pages"] }) {
  const { added, changed, removed, moved } = pages.counts;
  const isNone = added + changed + removed + moved === 0;
  return (
    <Card
      title="Pages"
      description={
        isNone
          ? "No page changed."
          : `${added} added, ${changed} changed, ${removed} removed, ${moved} moved.`
      }
    >
      <div className="stack">
        <PageList title="Removed" count={removed}>
          {pages.removed.map(({ path, title }) => (
            <li key={path} className="wrap-anywhere">
              {title} <span className="mono small quiet">{shownPath(path)}</span>
            </li>
          ))}
        </PageList>
        <PageList title="Moved" count={moved}>
          {pages.moved.map(({ path, from }) => (
            <li key={`${from} ${path}`} className="wrap-anywhere">
              <span className="mono small">{shownPath(from)}</span> → <PageLink site={site} path={path} />
            </li>
          ))}
        </PageList>
        {(["added", "changed"] as const).map((kind) => (
          <PageList key={kind} title={kind === "added" ? "Added" : "Changed"} count={pages.counts[kind]}>
            {pages[kind].map(({ path, title }) => (
              <li key={path} className="wrap-anywhere">
                {title} <PageLink site={site} path={path} />
              </li>
            ))}
          </PageList>
        ))}
      </div>
    </Card>
  );
}

interface PageListProps {
  title: string;
  /** Of all, of which some may not be named. */
  count: number;
  children: readonly ReactNode[];
}

function PageList({ title, count, children }: PageListProps) {
  if (count === 0) return null;
  const left = count - children.length;
  return (
    <section>
      <h3 className="small">{title}</h3>
      <ul>{children}</ul>
      {left > 0 && <p className="quiet small">{counted(left, "more page")}</p>}
    </section>
  );
}
