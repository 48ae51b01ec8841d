import { isComing, type Turn } from "../../conversation/state.ts";
import { AnswerProgress } from "../kit/answer/answer-progress.tsx";
import { AnswerText } from "../kit/answer/markdown-text.tsx";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import type { SiteView } from "../site-view.ts";

interface FirstAnswerProps {
  site: SiteView;
  turn: Turn;
  onRetry: () => void;
}

/** A question with its answer, as it comes. */
export function FirstAnswer({ site, turn, onRetry }: FirstAnswerProps) {
  const { question, status, answer, sources, outcome, error } = turn;
  return (
    <article className="first-answer" aria-label={`Answer to ${question}`}>
      <p className="first-answer-question">{question}</p>
      <AnswerProgress turn={turn} />
      <AnswerText site={site} text={answer} isComing={isComing(turn)} />
      {sources.length > 0 && (
        <div>
          <h3 className="first-answer-heading">From your docs</h3>
          <ul className="first-answer-sources">
            {sources.map(({ url, title, snippet }) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noreferrer noopener">
                  {title}
                </a>
                <span className="quiet small"> {snippet || placeOf(url)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {status === "done" && <Remark outcome={outcome} />}
      {status === "failed" && (
        <Notice
          tone="bad"
          action={
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          {error?.message ?? "The answer failed."}
        </Notice>
      )}
    </article>
  );
}

/** The path and anchor of a source, which tell two places of one page apart. */
function placeOf(url: string): string {
  const { pathname, hash } = new URL(url, window.location.href);
  try {
    return decodeURI(pathname + hash);
  } catch {
    return pathname + hash;
  }
}

/** What kind of answer it was, where that needs a word. */
function Remark({ outcome }: { outcome: string | undefined }) {
  if (outcome === "quoted")
    return (
      <Notice tone="quiet">
        Quoted from your pages: no model is running yet. With Ollama on this machine, answers are written.
      </Notice>
    );
  if (outcome === "touched")
    return (
      <Notice tone="quiet">
        No page says this outright, so what comes nearest is quoted. With Ollama on this machine, a model
        looks whether it answers.
      </Notice>
    );
  if (outcome === "unanswered")
    return (
      <Notice tone="quiet">
        The docs do not cover this, and Docent says so. Ask something that they cover, or see under Content
        why it is not found.
      </Notice>
    );
  return null;
}
