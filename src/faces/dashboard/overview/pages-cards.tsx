import { BarList } from "../kit/chart/bar-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import type { Overview } from "../replies.ts";
import { indexedPagePath, type SiteView } from "../site-view.ts";

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
