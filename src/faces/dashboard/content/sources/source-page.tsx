import { useState } from "react";
import { Button, ButtonLink } from "../../kit/buttons/button.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { NotFoundPage } from "../../kit/feedback/not-found-page.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { PageHeader } from "../../kit/layout/page-header.tsx";
import { Dialog } from "../../kit/overlay/dialog.tsx";
import { Recognized } from "../../kit/runs/recognized.tsx";
import { RunWatch, useRun } from "../../kit/runs/run-watch.tsx";
import {
  countsLine,
  isOfFiles,
  isUnlike,
  KINDS,
  marksOf,
  SCHEDULES,
  scheduleWords,
} from "../../kit/runs/run-words.ts";
import { UploadForm } from "../../kit/upload/upload-form.tsx";
import { type RunJob, type Source, siteOperations, type UnderWay } from "../../replies.ts";
import type { RouteParams } from "../../route-match.ts";
import { Link, navigate, useRoute } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import { useSites } from "../../use-sites.tsx";
import { LedgerCard } from "./ledger-card.tsx";
import { RunsCard } from "./runs-card.tsx";
import { useReloadAt } from "./use-reload-at.ts";
import { useSourceActions } from "./use-source-actions.ts";
import "../content.css";
import { PublishedForm } from "../../kit/sources/published-form.tsx";
import { GroupsField, groupsIn, ScheduleField } from "../../kit/sources/source-fields.tsx";
import { Time } from "../../kit/text/time.tsx";

const LOOK_MS = 2000;

/** One source: what it does now, how its runs ended, and what was decided of each page. */
export function SourcePage({ site, params }: { site: SiteView; params: RouteParams }) {
  const number = Number(params["source"]);
  const path = `${siteOperations(site.domain)}/sources/${number}`;
  const source = useResource<Source>(Number.isInteger(number) ? path : null, { everyMs: LOOK_MS });
  if (!Number.isInteger(number)) return <NotFoundPage />;
  if (source.state === "loading") return <Loading shape="rows" label="Reading the source" />;
  if (source.state === "failed")
    return (
      <div className="stack-wide">
        <PageHeader title="Source" of={site.name} />
        <Failed error={source.error} retry={() => void source.reload()} />
        <p>
          <Link to={sitePath(site, "content")}>All sources</Link>
        </p>
      </div>
    );
  return <KnownSource site={site} source={source.data} reload={() => void source.reload()} />;
}

interface KnownSourceProps {
  site: SiteView;
  source: Source;
  reload: () => void;
}

function KnownSource({ site, source, reload }: KnownSourceProps) {
  const { query } = useRoute();
  const { reload: reloadSites } = useSites();
  const actions = useSourceActions(site, source);
  const [isReplacing, setIsReplacing] = useState(false);
  const path = siteOperations(site.domain);
  const runs = useResource<UnderWay[]>(`${path}/runs`, { everyMs: LOOK_MS });
  const underWay = runs.data?.find((run) => run.source === source.number);
  const [watched, setWatched] = useState(query.get("run"));
  // Another one may have begun since: by its schedule, or by somebody else.
  if (underWay !== undefined && underWay.id !== watched) setWatched(underWay.id);
  const own = sitePath(site, "content", "sources", source.number);
  const watch = (job: RunJob | undefined) => {
    if (!job) return;
    void runs.reload();
    setWatched(job.id);
    navigate(`${own}?run=${job.id}`, { replace: true });
  };
  // How many pages the site has is told elsewhere, too.
  useReloadAt(source.lastRun?.finishedAt ?? null, () => void reloadSites());
  const remove = async () => {
    if (await actions.remove()) navigate(sitePath(site, "content"));
  };
  return (
    <div className="stack-wide">
      <WentBack {...{ site, source }} />
      <Header
        {...{ site, source }}
        isBusy={actions.isSending || underWay !== undefined}
        onReplace={() => setIsReplacing(true)}
        onRun={() => void actions.run().then(watch)}
      />
      <Now
        {...{ site, source }}
        runId={watched}
        isRunning={underWay !== undefined}
        onAgain={site.mayChange ? ({ force }) => void actions.again(force).then(watch) : undefined}
        onRun={watch}
      />
      <LedgerCard site={site} source={source} />
      <div className="columns">
        <RunsCard domain={site.domain} source={source} />
        {site.mayChange && source.kind !== "demo" && <HowCards {...{ site, source, actions, reload }} />}
      </div>
      {site.mayChange && <RemoveCard isDisabled={underWay !== undefined} onRemove={() => void remove()} />}
      <ReplaceDialog
        {...{ site, source }}
        isOpen={isReplacing}
        isBusy={actions.isSending}
        onClose={() => setIsReplacing(false)}
        onUploaded={async () => {
          setIsReplacing(false);
          watch(await actions.run());
        }}
      />
    </div>
  );
}

/** Says that readers do not see what the last run brought, because somebody went back. */
function WentBack({ site, source }: Pick<KnownSourceProps, "site" | "source">) {
  const last = source.lastRun?.generation ?? null;
  if (last === null || site.generation >= last) return null;
  return (
    <Notice
      tone="warn"
      action={<Link to={sitePath(site, "content", "generations")}>See the generations</Link>}
    >
      Readers see generation {site.generation}, from before this source's last run. If you read it again, they
      get what it has then.
    </Notice>
  );
}

interface HeaderProps {
  site: SiteView;
  source: Source;
  isBusy: boolean;
  onReplace: () => void;
  onRun: () => void;
}

function Header({ site, source, isBusy, onReplace, onRun }: HeaderProps) {
  return (
    <PageHeader
      title={source.place}
      of={site.name}
      description={[KINDS[source.kind] ?? source.kind, ...marksOf(source)].join(" · ")}
      actions={
        site.mayChange && (
          <>
            {source.kind === "upload" && (
              <Button icon="upload" onClick={onReplace}>
                Upload again
              </Button>
            )}
            <Button kind="primary" icon="refresh" busy={isBusy} onClick={onRun}>
              Read now
            </Button>
          </>
        )
      }
    />
  );
}

interface ReplaceDialogProps {
  site: SiteView;
  source: Source;
  isOpen: boolean;
  isBusy: boolean;
  onClose: () => void;
  onUploaded: () => Promise<void>;
}

/** Asks for another archive in the place of the one that was uploaded. */
function ReplaceDialog({ site, source, isOpen, isBusy, onClose, onUploaded }: ReplaceDialogProps) {
  return (
    <Dialog title={`Upload ${source.place} again`} size="large" isOpen={isOpen} onClose={onClose}>
      <UploadForm
        domain={site.domain}
        isBusy={isBusy}
        error={undefined}
        replaces={source.number}
        onUploaded={onUploaded}
      />
    </Dialog>
  );
}

interface NowProps {
  site: SiteView;
  source: Source;
  runId: string | null;
  isRunning: boolean;
  onAgain: ((options: { force: boolean }) => void) | undefined;
  onRun: (run: RunJob) => void;
}

/** What the source does now, or what came of its last run. */
function Now({ site, source, runId, isRunning, onAgain, onRun }: NowProps) {
  const run = useRun(site.domain, source.number, runId);
  if (!isRunning && source.lastRun === null && runId === null)
    return (
      <Card title="Not read yet">
        <p className="quiet">Read it, and its pages can be found.</p>
      </Card>
    );
  return (
    <Card
      title={isRunning ? "Reading" : "Last run"}
      description={source.lastRun && !isRunning ? countsLine(source.lastRun.counts) : undefined}
      actions={
        <ButtonLink to={sitePath(site, "content", "pages")} size="small">
          See the pages
        </ButtonLink>
      }
    >
      <div className="stack">
        <RunWatch run={run} kind={source.kind} onAgain={isRunning ? undefined : onAgain} />
        {!isRunning && <Recognized site={site} source={source} onRun={onRun} />}
      </div>
    </Card>
  );
}

function RemoveCard({ isDisabled, onRemove }: { isDisabled: boolean; onRemove: () => void }) {
  return (
    <Card title="Remove">
      <div className="row-apart">
        <span className="quiet">Takes its pages out of the index, and the source off the list.</span>
        <Button kind="danger" icon="trash" disabled={isDisabled} onClick={onRemove}>
          Remove the source
        </Button>
      </div>
    </Card>
  );
}

interface HowCardsProps {
  site: SiteView;
  source: Source;
  actions: ReturnType<typeof useSourceActions>;
  reload: () => void;
}

/** How the source is read, which its owner may change. */
function HowCards({ site, source, actions, reload }: HowCardsProps) {
  return (
    <>
      {isOfFiles(source) && (
        <PublishedCard
          {...{ site, source }}
          isBusy={actions.isSending}
          publish={(published) => void actions.change({ published }).then(reload)}
        />
      )}
      {source.kind !== "upload" && (
        <ScheduleCard source={source} schedule={(everyMs) => void actions.schedule(everyMs).then(reload)} />
      )}
      <GroupsCard source={source} restrict={(groups) => void actions.change({ groups }).then(reload)} />
    </>
  );
}

interface PublishedCardProps {
  site: SiteView;
  source: Source;
  isBusy: boolean;
  publish: (published: string | null) => void;
}

/** Where the source's pages are published. It is offered where a run has found that they do not look like their site. */
function PublishedCard({ site, source, isBusy, publish }: PublishedCardProps) {
  const isOffered = source.published === null && isUnlike(source.lastRun?.counts ?? {});
  return (
    <Card title="The site as it is published">
      <div className="stack">
        {isOffered && (
          <Notice tone="warn">
            Many links between these pages lead nowhere, so they may have other addresses, or their headings
            other ids. If the site is published, name its address.
          </Notice>
        )}
        <PublishedForm
          key={source.published}
          {...{ source, isBusy }}
          siteUrl={isOffered ? site.url : null}
          label="Save"
          onSave={publish}
        />
      </div>
    </Card>
  );
}

/** Whom the source's pages are for. */
function GroupsCard({ source, restrict }: { source: Source; restrict: (groups: string[]) => void }) {
  const now = source.groups.join(", ");
  const [groups, setGroups] = useState(now);
  const isChanged = groupsIn(groups).join(", ") !== now;
  return (
    <Card title="Who it is for">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          restrict(groupsIn(groups));
        }}
      >
        <GroupsField groups={groups} onChange={setGroups} />
        <div>
          <Button type="submit" disabled={!isChanged}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** How often a source is read by itself. */
function ScheduleCard({ source, schedule }: { source: Source; schedule: (everyMs: number | null) => void }) {
  const { everyMs, nextRunAt } = source;
  const isOwn = !SCHEDULES.some((each) => each.everyMs === everyMs);
  return (
    <Card title="Schedule">
      <div className="stack">
        {isOwn && <p className="quiet">Now: {scheduleWords(everyMs)}, as the command line set it.</p>}
        <ScheduleField everyMs={everyMs} onChange={schedule} />
        {nextRunAt && (
          <p className="quiet small">
            Next <Time at={nextRunAt} />
          </p>
        )}
      </div>
    </Card>
  );
}
