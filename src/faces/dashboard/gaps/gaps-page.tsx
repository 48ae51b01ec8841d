import { useEffect } from "react";
import { withQuery } from "../api.ts";
import { ButtonLink } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { TabLinks } from "../kit/layout/tab-links.tsx";
import { MoreButton } from "../kit/table/more-button.tsx";
import { useRowFocus } from "../kit/table/use-row-focus.ts";
import { formatNumber } from "../kit/text/format-number.ts";
import { type Gap, type GapList, siteAnalytics } from "../replies.ts";
import { useRoute } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { usePartList } from "../use-paged-list.ts";
import { GapCard } from "./gap-card.tsx";
import { STATE_WORDS, STATES, useGapState } from "./gap-state.ts";
import "./gaps.css";

const PART = 30;
const WAITING_LOOK_MS = 5000;
/** Keeps each part of the list whole: beside its gaps, it tells how many questions wait. */
const partOf = (reply: GapList): GapList[] => [reply];

/** What readers ask and the docs do not answer, the most wanted first. */
export function GapsPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const state = STATES.find((each) => each === query.get("state")) ?? "open";
  const path = withQuery(`${siteAnalytics(site.domain)}/gaps`, { state, limit: PART });
  const list = usePartList<GapList, GapList>(path, partOf);
  const gaps = gapsOf(list.entries);
  const waiting = list.entries[0]?.waiting ?? 0;
  const setState = useGapState(site, list.reload);
  const focus = useRowFocus<HTMLOListElement>();
  return (
    <div className="stack-wide">
      <PageHeader
        title="Gaps"
        of={site.name}
        description="What readers asked and the docs did not answer, put together by meaning. The most wanted come first."
      />
      <TabLinks
        label="State"
        links={STATES.map((each) => ({
          to: `${sitePath(site, "gaps")}${each === "open" ? "" : `?state=${each}`}`,
          label: STATE_WORDS[each].label,
          isCurrent: each === state,
        }))}
      />
      <Waiting waiting={waiting} reload={list.reload} />
      {list.state === "loading" && <Loading shape="rows" label="Grouping the questions" />}
      {list.error && <Failed error={list.error} retry={list.retry} />}
      {gaps.length > 0 && (
        <ol className="gap-list" {...focus} aria-label={`${STATE_WORDS[state].label} gaps`}>
          {gaps.map((gap) => (
            <li key={gap.id}>
              <GapCard site={site} gap={gap} setState={setState} />
            </li>
          ))}
        </ol>
      )}
      {list.state === "ready" && gaps.length === 0 && waiting === 0 && <NoGaps site={site} state={state} />}
      <MoreButton list={list} />
    </div>
  );
}

/** Leaves out gaps that are listed already: one that is asked again moves up, and would be there twice. */
const gapsOf = (parts: readonly GapList[]): Gap[] => [
  ...new Map(parts.flatMap(({ gaps }) => gaps).map((gap) => [gap.id, gap])).values(),
];

interface WaitingProps {
  waiting: number;
  reload: () => void;
}

/** Reads the list again until no question waits: they are grouped a few at a time. */
function Waiting({ waiting, reload }: WaitingProps) {
  useEffect(() => {
    if (waiting === 0) return;
    const timer = setInterval(() => !document.hidden && reload(), WAITING_LOOK_MS);
    return () => clearInterval(timer);
  }, [waiting, reload]);
  if (waiting === 0) return null;
  return (
    <Notice tone="quiet">
      {waiting === 1 ? "1 question is" : `${formatNumber(waiting)} questions are`} still being put together.
      The list grows by itself.
    </Notice>
  );
}

function NoGaps({ site, state }: { site: SiteView; state: (typeof STATES)[number] }) {
  if (state !== "open")
    return (
      <Empty
        icon="gap"
        title={state === "documented" ? "Nothing is documented yet" : "Nothing is dismissed"}
        text={
          state === "documented"
            ? "When you have written what was missing, mark the gap as documented: its question is asked again after every change of the docs."
            : "What the docs need not answer can be dismissed, and stays out of the way."
        }
      />
    );
  return (
    <Empty
      icon="check"
      title="No open gaps"
      text="Everything that was asked found an answer, or nobody has asked yet."
      action={<ButtonLink to={sitePath(site, "conversations")}>See what was asked</ButtonLink>}
    />
  );
}
