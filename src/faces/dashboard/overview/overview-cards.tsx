import { type Bar, BarList } from "../kit/chart/bar-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { formatDuration, formatNumber, formatShare } from "../kit/text/format-number.ts";
import { OUTCOME_WORDS, type Outcome } from "../outcome-words.ts";
import type { Overview } from "../replies.ts";
import { pathTo } from "../router.ts";
import { indexedPagePath, type SiteView } from "../site-view.ts";

interface OutcomesCardProps {
  site: SiteView;
  overview: Overview;
  days: number;
}

const ORDER: readonly Outcome[] = [
  "answered",
  "quoted",
  "curated",
  "touched",
  "unanswered",
  "stopped",
  "failed",
];
/** How questions ended, each leading to its conversations. */
export function OutcomesCard({ site, overview: { numbers }, days }: OutcomesCardProps) {
  const { outcomes, cachedShare } = numbers;
  const path = ["dashboard", site.organizationName, site.domain, "conversations"];
  const items = ORDER.filter((outcome) => outcomes[outcome] > 0).map(
    (outcome): Bar => ({
      label: OUTCOME_WORDS[outcome].label,
      value: outcomes[outcome],
      note: OUTCOME_WORDS[outcome].meaning,
      to: pathTo(path, { show: outcome, days: String(days) }),
    }),
  );
  return (
    <Card title="Outcomes">
      {items.length === 0 ? (
        <p className="quiet">Nothing was asked in this time.</p>
      ) : (
        <div className="stack">
          <BarList label="Questions by how they ended" items={items} />
          {cachedShare !== null && cachedShare > 0 && (
            <p className="small quiet overview-foot">
              {formatShare(cachedShare)} came from an answer that was given before.
            </p>
          )}
        </div>
      )}
    </Card>
  );
}

type Waits = Overview["numbers"]["waits"];
interface Row {
  name: keyof Waits;
  label: string;
  wait: NonNullable<Waits["total"]>;
}

const LABELS: readonly [name: keyof Waits, label: string][] = [
  ["queue", "In the model's queue"],
  ["firstToken", "Until the first words"],
  ["total", "Until the whole answer"],
];
const COLUMNS: readonly Column<Row>[] = [
  { title: "Wait", cell: ({ label }) => label },
  { title: "Median", align: "end", isNarrow: true, cell: ({ wait }) => formatDuration(wait.medianMs) },
  { title: "95% within", align: "end", isNarrow: true, cell: ({ wait }) => formatDuration(wait.p95Ms) },
];

/** The readers' waits, by what they waited for. */
export function WaitsCard({ overview: { numbers } }: { overview: Overview }) {
  const rows = LABELS.flatMap(([name, label]): Row[] => {
    const wait = numbers.waits[name];
    return wait === null ? [] : [{ name, label, wait }];
  });
  return (
    <Card title="How long readers waited">
      {rows.length === 0 ? (
        <p className="quiet">Nobody waited in this time.</p>
      ) : (
        <Table label="Waits" rows={rows} columns={COLUMNS} keyOf={({ name }) => name} />
      )}
    </Card>
  );
}

type PageCounts = Overview["pages"]["cited"];

/** The pages that answers cite, and those that readers were on when they asked. */
export function PagesCards({ site, overview: { pages } }: { site: SiteView; overview: Overview }) {
  const { cited, askedOn, isAll, questionsCounted } = pages;
  const counted = isAll ? undefined : `Among the newest ${formatNumber(questionsCounted)} questions.`;
  return (
    <div className="columns">
      <PagesCard
        {...{ site, counted, title: "Pages that answers cite", pages: cited }}
        empty="No answer has cited a page in this time."
      />
      <PagesCard
        {...{ site, counted, title: "Pages that readers asked on", pages: askedOn }}
        empty="Nobody asked from a page of the site in this time: the widget tells which one it is on."
      />
    </div>
  );
}

interface PagesCardProps {
  site: SiteView;
  title: string;
  counted: string | undefined;
  pages: PageCounts;
  empty: string;
}

function PagesCard({ site, title, counted, pages, empty }: PagesCardProps) {
  const items = pages.map(({ path, title: name, count }) => ({
    label: name || `/${path}`,
    value: count,
    to: indexedPagePath(site, path),
    ...(name !== null && { note: `/${path}` }),
  }));
  return (
    <Card title={title} description={counted}>
      {items.length === 0 ? <p className="quiet">{empty}</p> : <BarList label={title} items={items} />}
    </Card>
  );
}
