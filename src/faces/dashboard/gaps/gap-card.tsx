import { useState } from "react";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { counted, formatNumber } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { REASON_WORDS } from "../outcome-words.ts";
import { type Gap, type GapWithQuestions, siteAnalytics } from "../replies.ts";
import { Link } from "../router.ts";
import { indexedPagePath, type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import type { SetGapState } from "./gap-state.ts";
import { askedAgainWords } from "./gap-state.ts";

interface GapCardProps {
  site: SiteView;
  gap: Gap;
  setState: SetGapState;
}

/** Questions of one meaning: how many, why there was no answer, what comes nearest, and what to do about it. */
export function GapCard({ site, gap, setState }: GapCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { question, count, examples, reason, nearest, lastAskedAt, countSince, state } = gap;
  const again = askedAgainWords(gap);
  return (
    <article className="gap">
      <div className="gap-count" title={`Asked ${counted(count, "time")}`}>
        <strong>{formatNumber(count)}</strong>
        <span>{count === 1 ? "time" : "times"}</span>
      </div>
      <div className="gap-body">
        <h2 className="gap-question">{question}</h2>
        {examples.length > 0 && (
          <p className="gap-examples">
            also:{" "}
            {examples
              .slice(0, 2)
              .map((example) => `“${example}”`)
              .join(", ")}
            {examples.length > 2 && " …"}
          </p>
        )}
        <p className="gap-facts">
          <Badge tone={reason === "disliked" ? "bad" : "warn"}>{REASON_WORDS[reason].label}</Badge>
          <span>
            last asked <Time at={lastAskedAt} />
          </span>
          {state !== "open" && countSince > 0 && (
            <span className="gap-since">{formatNumber(countSince)} since then</span>
          )}
        </p>
        <p className="small quiet">{REASON_WORDS[reason].helps}</p>
        {nearest !== null && <NearestPage site={site} nearest={nearest} />}
        {again && (
          <p className="small">
            <Badge tone={again.tone}>{again.text}</Badge>
          </p>
        )}
        <div className="gap-actions">
          <Button
            size="small"
            kind="quiet"
            icon={isOpen ? "close" : "down"}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Hide the questions" : count === 1 ? "Show the question" : "Show the questions"}
          </Button>
          {site.mayChange && <GapActions site={site} gap={gap} setState={setState} />}
        </div>
        {isOpen && <GapQuestions site={site} gap={gap} />}
      </div>
    </article>
  );
}

/** The page that comes nearest to the questions, and how near that is. */
function NearestPage({ site, nearest }: { site: SiteView; nearest: NonNullable<Gap["nearest"]> }) {
  return (
    <p className="small gap-nearest">
      <Icon name="page" size={15} />
      <span>
        Nearest: <Link to={indexedPagePath(site, nearest.path)}>{nearest.title || `/${nearest.path}`}</Link>
      </span>
      <span className="relevance" title="Relevance, from 0 to 1">
        <meter min={0} max={1} value={nearest.relevance} aria-hidden="true" />
        <span className="visually-hidden">Relevance </span>
        {nearest.relevance.toFixed(2)}
      </span>
    </p>
  );
}

function GapActions({ site, gap, setState }: GapCardProps) {
  const [isBusy, setIsBusy] = useState(false);
  const become = async (state: Gap["state"]) => {
    setIsBusy(true);
    await setState(gap, state);
    setIsBusy(false);
  };
  if (gap.state !== "open")
    return (
      <Button size="small" icon="undo" busy={isBusy} onClick={() => void become("open")}>
        Open it again
      </Button>
    );
  return (
    <>
      <ButtonLink
        size="small"
        icon="answer"
        to={`${sitePath(site, "answers", "new")}?gap=${encodeURIComponent(gap.id)}`}
      >
        Write an answer
      </ButtonLink>
      <Button size="small" icon="check" busy={isBusy} onClick={() => void become("documented")}>
        Documented
      </Button>
      <Button size="small" icon="close" busy={isBusy} onClick={() => void become("dismissed")}>
        Dismiss
      </Button>
    </>
  );
}

/** The questions that a gap is made of, each leading to its conversation. */
function GapQuestions({ site, gap }: { site: SiteView; gap: Gap }) {
  const path = `${siteAnalytics(site.domain)}/gaps/${encodeURIComponent(gap.id)}`;
  const read = useResource<GapWithQuestions>(path);
  if (read.state === "loading") return <Loading lines={2} label="Reading the questions" />;
  if (read.state === "failed") return <Failed error={read.error} retry={() => void read.reload()} />;
  const { questions, count } = read.data;
  return (
    <>
      <ul className="gap-questions" aria-label={`Questions about ${gap.question}`}>
        {questions.map(({ messageId, question, askedAt, reason }) => (
          <li key={messageId}>
            <Link to={sitePath(site, "conversations", messageId)}>{question}</Link>
            <span className="small quiet">
              <Time at={askedAt} /> · {REASON_WORDS[reason].label.toLowerCase()}
            </span>
          </li>
        ))}
      </ul>
      {count > questions.length && (
        <p className="small quiet">
          These are the newest {questions.length} of {count}.
        </p>
      )}
    </>
  );
}
