import "./first-run.css";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { AddSource } from "../content/add-source/add-source.tsx";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Icon } from "../kit/icons/icon.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { useRun } from "../kit/runs/run-watch.tsx";
import { type Source, siteOperations } from "../replies.ts";
import { navigate, pathTo, useRoute } from "../router.ts";
import { mayChange, useSession } from "../session-context.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { type ListedSite, useSites } from "../use-sites.tsx";
import { AskStep } from "./ask-step.tsx";
import { NameStep } from "./name-step.tsx";
import { ReadStep } from "./read-step.tsx";
import { NextSteps, ReaderSiteNote, SnippetStep } from "./snippet-step.tsx";
import { useSiteKey } from "./use-site-key.ts";

/** `/new`: from nothing to an answer from one's own docs. How far it is stands in the address. */
export function FirstRunPage() {
  const { query } = useRoute();
  const session = useSession();
  const sites = useSites();
  const domain = query.get("site");
  const page = useRef<HTMLDivElement>(null);
  useStepFocus(page, `${domain} ${query.get("source")}`);
  const mayAdd = session.organizations.some(({ id }) => mayChange(session, id));
  return (
    <div className="first-run" ref={page}>
      <PageHeader
        title="Add a site"
        description="In a few minutes your readers can ask, and get answers from your docs with links to where they stand."
      />
      {!mayAdd ? (
        <Empty
          icon="lock"
          title="Only owners add sites"
          text="Ask an owner of your organization to add it, or to make you one."
        />
      ) : sites.state === "loading" ? (
        <Loading label="Finding where you left off" />
      ) : sites.state === "failed" ? (
        <Failed error={sites.error} retry={() => void sites.reload()} />
      ) : (
        <Steps domain={domain} site={sites.data.find((site) => site.domain === domain)} />
      )}
    </div>
  );
}

/** The address of a step: what is not given is still to be done. */
const at = (given: { site?: string; source?: number; run?: string | null }) =>
  pathTo(["new"], {
    site: given.site ?? "",
    source: given.source === undefined ? "" : String(given.source),
    run: given.run ?? "",
  });

function Steps({ domain, site }: { domain: string | null; site: ListedSite | undefined }) {
  const sites = useSites();
  if (domain !== null && !site?.mayChange)
    return (
      <Empty
        icon="site"
        title={`There is no site ${domain} that you can set up`}
        text="It may have been removed, or belong to an organization that you only look at."
        action={<ButtonLink to="/new">Begin anew</ButtonLink>}
      />
    );
  if (!site)
    return (
      <ol className="steps">
        <Step number={1} title="Name your site" state="current">
          <NameStep
            onNamed={async (named) => {
              await sites.reload();
              navigate(at({ site: named }));
            }}
          />
        </Step>
        <Step number={2} title="Point at your docs" state="ahead" />
        <StepsAhead />
      </ol>
    );
  return <SiteSteps site={site} />;
}

function SiteSteps({ site }: { site: ListedSite }) {
  const { query } = useRoute();
  const sites = useSites();
  const number = Number(query.get("source") ?? Number.NaN);
  const hasSource = Number.isInteger(number) && number > 0;
  const run = useRun(site.domain, hasSource ? number : undefined, query.get("run"));
  const source = useResource<Source>(hasSource ? `${siteOperations(site.domain)}/sources/${number}` : null);
  const ended = run?.state === "ended" ? run.outcome : undefined;
  // What readers see has changed: the site is asked after once more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end of a run, and not whenever the list is another.
  useEffect(() => {
    if (ended !== undefined) void sites.reload();
  }, [ended]);
  const isReadable =
    hasSource &&
    ended !== undefined &&
    ended !== "previewed" &&
    (site.generation > 0 || ended === "published" || ended === "unchanged");
  const moveTo = (chosen: number, asked: string | null) =>
    navigate(at({ site: site.domain, source: chosen, run: asked }));

  return (
    <ol className="steps">
      <Step number={1} title="Your site" state="done" note={`${site.name}, ${site.domain}`} />
      <Step
        number={2}
        title={hasSource ? "Your docs" : "Point at your docs"}
        state={isReadable ? "done" : "current"}
        note={isReadable ? source.data?.place : undefined}
      >
        {hasSource ? (
          <ReadStep
            {...{ site, number, run }}
            source={source.data}
            onAgain={(asked) => moveTo(number, asked)}
            onOther={() => navigate(at({ site: site.domain }))}
          />
        ) : (
          <DocsStep site={site} onAdded={moveTo} />
        )}
      </Step>
      {isReadable ? <LastSteps site={site} /> : <StepsAhead />}
    </ol>
  );
}

const ASK = { number: 3, title: "Ask the first question" };
const PASTE = { number: 4, title: "Put it on your pages" };

function StepsAhead() {
  return (
    <>
      <Step {...ASK} state="ahead" />
      <Step {...PASTE} state="ahead" />
    </>
  );
}

/** What is done with docs that were read. Both steps have one key: each would make one for itself. */
function LastSteps({ site }: { site: ListedSite }) {
  const siteKey = useSiteKey(site);
  return (
    <>
      <Step {...ASK} state="current">
        <AskStep site={site} />
      </Step>
      <Step {...PASTE} state="current">
        <SnippetStep site={site} siteKey={siteKey} />
        <ReaderSiteNote site={site} />
        <NextSteps site={site} />
      </Step>
    </>
  );
}

/** When a step is done, what the keyboard was at is gone with it: it goes on at the step that is next. */
function useStepFocus(page: RefObject<HTMLElement | null>, step: string): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    if (document.activeElement !== document.body) return;
    page.current?.querySelector<HTMLElement>('[aria-current="step"] h2')?.focus();
  }, [page, step]);
}

interface StepProps {
  number: number;
  title: string;
  state: "done" | "current" | "ahead";
  /** What was chosen, once it is. */
  note?: string | undefined;
  children?: ReactNode;
}

/** One of the steps of the first run: what is done shows what came of it, what is ahead only its name. */
function Step({ number, title, state, note, children }: StepProps) {
  return (
    <li className={`step step-${state}`} aria-current={state === "current" ? "step" : undefined}>
      <span className="step-mark" aria-hidden="true">
        {state === "done" ? <Icon name="check" size={16} /> : number}
      </span>
      <div className="step-body">
        <h2 className="step-title" tabIndex={-1}>
          {title}
          {state === "done" && <span className="visually-hidden"> (done)</span>}
          {note && <span className="step-note">{note}</span>}
        </h2>
        {state !== "ahead" && children && <div className="step-content">{children}</div>}
      </div>
    </li>
  );
}

interface DocsStepProps {
  site: SiteView;
  onAdded: (source: number, run: string | null) => void;
}

/** Asks where the docs are. Who left in the middle goes on with what they had chosen. */
function DocsStep({ site, onAdded }: DocsStepProps) {
  const sources = useResource<Source[]>(`${siteOperations(site.domain)}/sources`);
  const known = sources.data ?? [];
  return (
    <div className="stack">
      {known.slice(0, 3).map(({ number, place }) => (
        <Notice
          key={number}
          tone="quiet"
          action={
            <Button size="small" onClick={() => onAdded(number, null)}>
              Go on with it
            </Button>
          }
        >
          You have chosen <strong>{place}</strong> before.
        </Notice>
      ))}
      <AddSource domain={site.domain} onAdded={onAdded} />
    </div>
  );
}
