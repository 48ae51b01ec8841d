import { useState } from "react";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { countsLine } from "../kit/runs/run-words.ts";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { Time } from "../kit/text/time.tsx";
import { type Generation, type Rollback, siteOperations } from "../replies.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { useResource } from "../use-resource.ts";
import { useSites } from "../use-sites.tsx";
import { ContentHeader } from "./content-header.tsx";

const LOOK_MS = 10_000;

const columnsOf = (site: SiteView): Column<Generation>[] => [
  {
    title: "Generation",
    cell: ({ number, isVisible }) => (
      <span className="row">
        {number}
        {isVisible && <Badge tone="good">Readers see this one</Badge>}
      </span>
    ),
  },
  { title: "Made", isNarrow: true, cell: ({ at }) => <Time at={at} /> },
  { title: "By", cell: ({ source }) => <span className="wrap-anywhere">{source.location}</span> },
  {
    title: "Changes",
    cell: ({ number, counts }) => (
      <Link to={sitePath(site, "content", "generations", number)}>{countsLine(counts)}</Link>
    ),
  },
];

/** The states of the index that can be returned to. */
export function GenerationsPage({ site }: { site: SiteView }) {
  const path = `${siteOperations(site.domain)}/generations`;
  const generations = useResource<Generation[]>(path, { everyMs: LOOK_MS });
  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="generations" />
      <p className="quiet">
        Each run that changes something makes a new generation, which takes the place of the last one all at
        once. The last three are kept.
      </p>
      <Loaded of={generations} shape="rows" label="Reading the generations">
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon="clock"
              title="No generation yet"
              text="The first one is made when a source has been read."
            />
          ) : (
            <GenerationsTable site={site} path={path} generations={list} reload={generations.reload} />
          )
        }
      </Loaded>
    </div>
  );
}

interface GenerationsTableProps {
  site: SiteView;
  /** The operations on the generations. */
  path: string;
  generations: Generation[];
  reload: () => Promise<void>;
}

function GenerationsTable({ site, path, generations, reload }: GenerationsTableProps) {
  const { moving, askAndShow } = useRollback(path, reload);
  const visible = generations.find(({ isVisible }) => isVisible);
  const actions: Column<Generation> = actionsColumn((generation) =>
    generation.isVisible ? null : (
      <Button
        size="small"
        icon="undo"
        busy={moving === generation.number}
        onClick={() => void askAndShow(generation)}
      >
        {generation.number < (visible?.number ?? 0) ? "Go back to it" : "Go forward to it"}
      </Button>
    ),
  );
  return (
    <Table
      label="Generations"
      rows={generations}
      columns={site.mayChange ? [...columnsOf(site), actions] : columnsOf(site)}
      keyOf={({ number }) => number}
      isChosen={({ isVisible }) => isVisible}
    />
  );
}

/** Makes another generation the one that readers see, once somebody has agreed to it. */
function useRollback(path: string, reload: () => Promise<void>) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const sites = useSites();
  const [moving, setMoving] = useState<number>();

  async function show(number: number): Promise<Rollback | undefined> {
    setMoving(number);
    const moved = await attempt(() => api.post<Rollback>(`${path}/rollback`, { number }));
    setMoving(undefined);
    await Promise.all([reload(), sites.reload()]);
    return moved;
  }

  async function askAndShow({ number }: Generation): Promise<void> {
    const isAgreed = await confirm({
      title: `Show generation ${number}?`,
      text: "Readers get the docs as they were then, at once. The next run of a source reads it as it is by then, and readers get that instead.",
      action: `Show generation ${number}`,
      kind: "primary",
    });
    const moved = isAgreed ? await show(number) : undefined;
    if (moved)
      toast(`Readers see generation ${moved.to}`, {
        action: { label: "Undo", run: () => void show(moved.from) },
      });
  }

  return { moving, askAndShow };
}
