import type { ReactNode } from "react";
import { ButtonLink } from "../kit/buttons/button.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import { Card } from "../kit/layout/card.tsx";
import { counted } from "../kit/text/format-number.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useSites } from "../use-sites.tsx";

/** The steps to take while nobody asks: add docs, ask a question oneself, then put the widget in the pages. */
export function StartCard({ site, days }: { site: SiteView; days: number }) {
  const pages = useSites().data?.find(({ domain }) => domain === site.domain)?.pages ?? 0;
  const hasDocs = pages > 0;
  return (
    <Card
      title="Nobody has asked yet"
      description={`There was no question in the last ${2 * days} days. Numbers show up here with the first one.`}
    >
      <ol className="start-steps">
        <Step
          isDone={hasDocs}
          title="Point at your docs"
          text={
            hasDocs
              ? `Answers come from ${counted(pages, "page")}. Are these all of yours?`
              : "The assistant answers from them."
          }
        >
          {!hasDocs && site.mayChange && (
            <ButtonLink kind="primary" icon="add" to={sitePath(site, "content")}>
              Add your docs
            </ButtonLink>
          )}
        </Step>
        <Step title="Ask something yourself" text="See what your readers will get, and how it comes about.">
          <ButtonLink kind={hasDocs ? "primary" : "plain"} icon="play" to={sitePath(site, "playground")}>
            Open the playground
          </ButtonLink>
        </Step>
        <Step title="Put it on your pages" text="One line of HTML is all that a page needs.">
          <ButtonLink icon="code" to={sitePath(site, "settings", "widget")}>
            Copy the snippet
          </ButtonLink>
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  isDone?: boolean;
  title: string;
  text: string;
  children?: ReactNode;
}

function Step({ isDone = false, title, text, children }: StepProps) {
  return (
    <li className={isDone ? "start-step start-step-done" : "start-step"}>
      <span className="start-mark">{isDone && <Icon name="check" size={15} />}</span>
      <span className="start-text">
        <strong>
          {title}
          {isDone && <span className="visually-hidden">: done</span>}
        </strong>
        <span className="quiet small">{text}</span>
      </span>
      {children}
    </li>
  );
}
