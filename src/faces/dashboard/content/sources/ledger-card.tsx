import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Tabs } from "../../kit/layout/tabs.tsx";
import { LedgerTable } from "../../kit/runs/ledger-table.tsx";
import { MoreButton } from "../../kit/table/more-button.tsx";
import { type Ledger, type LedgerEntry, type Source, siteOperations } from "../../replies.ts";
import { currentAddress, navigate, useRoute } from "../../router.ts";
import type { SiteView } from "../../site-view.ts";
import { usePartList } from "../../use-paged-list.ts";
import { useReloadAt } from "./use-reload-at.ts";

const ALL = { name: "all", label: "All", decisions: [] } as const;
const PROBLEMS = { name: "problems", label: "Left out and kept", decisions: ["skipped", "kept"] } as const;
const VIEWS = [
  PROBLEMS,
  { name: "changes", label: "Added, changed, removed", decisions: ["added", "changed", "removed"] },
  ALL,
] as const;
type View = (typeof VIEWS)[number]["name"];

const NOTHING: Record<View, string> = {
  problems: "Nothing was left out: every page that the source lists was taken.",
  changes: "The last run changed nothing.",
  all: "Nothing is noted of this source yet. When it has been read, you see here what became of everything in it.",
};

/** What became of each page, file and address by the last run, and why. */
export function LedgerCard({ site, source }: { site: SiteView; source: Source }) {
  const { query } = useRoute();
  // Who has just uploaded files wants to see all of them.
  const first = source.kind === "upload" ? ALL : PROBLEMS;
  const view = VIEWS.find(({ name }) => name === query.get("ledger")) ?? first;
  const choose = (name: View) => {
    const [path, given] = currentAddress().split(/\?(.*)/s);
    const next = new URLSearchParams(given);
    next.set("ledger", name);
    navigate(`${path}?${next}`, { replace: true });
  };
  const decisions = view.decisions.map((decision) => `&decision=${decision}`).join("");
  const list = usePartList<Ledger, LedgerEntry>(
    `${siteOperations(site.domain)}/sources/${source.number}/ledger?limit=50${decisions}`,
    ({ entries }) => entries,
  );
  useReloadAt(source.lastRun?.finishedAt ?? null, list.reload);
  return (
    <Card title="Ledger" description="What became of every page, file and address, and why.">
      <div className="stack">
        <Tabs label="Decisions" tabs={VIEWS} current={view.name} onChange={choose}>
          {list.state === "loading" && <Loading shape="rows" lines={4} />}
          {list.error && <Failed error={list.error} retry={list.retry} />}
          {list.state === "ready" && list.entries.length === 0 && (
            <p className="quiet">{NOTHING[view.name]}</p>
          )}
          {list.entries.length > 0 && <LedgerTable label="Ledger" entries={list.entries} site={site} />}
          <MoreButton list={list} />
        </Tabs>
      </div>
    </Card>
  );
}
