import { type Bar, BarList } from "../kit/chart/bar-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatShare } from "../kit/text/format-number.ts";
import { OUTCOME_WORDS, type Outcome } from "../outcome-words.ts";
import type { Overview } from "../replies.ts";
import { pathTo } from "../router.ts";
import type { SiteView } from "../site-view.ts";

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
