import { BarList } from "../kit/chart/bar-list.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Card } from "../kit/layout/card.tsx";
import { REASON_WORDS } from "../outcome-words.ts";
import { type GapList, siteAnalytics } from "../replies.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";

const SHOWN = 5;

/** What to write next: the questions that most readers had no answer to. */
export function TopGapsCard({ site }: { site: SiteView }) {
  const gaps = useResource<GapList>(`${siteAnalytics(site.domain)}/gaps`, {
    query: { state: "open", limit: SHOWN },
  });
  return (
    <Card title="What to write next" actions={<Link to={sitePath(site, "gaps")}>All gaps</Link>}>
      <Loaded of={gaps} lines={3} label="Reading the gaps" />
      {gaps.state === "ready" && gaps.data.gaps.length === 0 && (
        <p className="quiet">
          {gaps.data.waiting > 0
            ? "Questions are being grouped. Look again in a moment."
            : "No open gaps: everything that was asked found an answer."}
        </p>
      )}
      {gaps.state === "ready" && gaps.data.gaps.length > 0 && (
        <BarList
          label="Open gaps, by how often they were asked"
          items={gaps.data.gaps.map(({ question, count, reason }) => ({
            label: question,
            value: count,
            note: REASON_WORDS[reason].label,
          }))}
        />
      )}
    </Card>
  );
}
