import { useEffect, useRef, useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Dialog } from "../../kit/overlay/dialog.tsx";
import { type Source, siteOperations, type UnderWay } from "../../replies.ts";
import { navigate } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useResource } from "../../use-resource.ts";
import { useSites } from "../../use-sites.tsx";
import { AddSource } from "../add-source/add-source.tsx";
import { ContentHeader } from "../content-header.tsx";
import { SourceTable } from "./source-table.tsx";

const LOOK_MS = 2000;

/** Where a site's pages come from. */
export function SourcesPage({ site }: { site: SiteView }) {
  const [isAdding, setIsAdding] = useState(false);
  const path = siteOperations(site.domain);
  const runs = useResource<UnderWay[]>(`${path}/runs`, { everyMs: LOOK_MS });
  const isBusy = (runs.data?.length ?? 0) > 0;
  const sources = useResource<Source[]>(`${path}/sources`, { everyMs: isBusy ? LOOK_MS : 10 * LOOK_MS });
  const { reload } = sources;
  const { reload: reloadSites } = useSites();
  // What a run changed is shown when it has ended, and not at the next look; how many pages there are, elsewhere too.
  const wasBusy = useRef(isBusy);
  useEffect(() => {
    if (wasBusy.current === isBusy) return;
    wasBusy.current = isBusy;
    void reload();
    void reloadSites();
  }, [isBusy, reload, reloadSites]);
  const add = site.mayChange && (
    <Button kind="primary" icon="add" onClick={() => setIsAdding(true)}>
      Add a source
    </Button>
  );

  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="sources" actions={add} />
      <Loaded of={sources} shape="rows" label="Reading the sources">
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon="folder"
              title="No docs yet"
              text="Point at a folder, a website or a repository, and your assistant answers from it."
              action={add}
            />
          ) : (
            <SourceTable
              site={site}
              sources={list}
              runs={runs.data ?? []}
              onChanged={() => {
                void runs.reload();
                void sources.reload();
              }}
            />
          )
        }
      </Loaded>
      <Dialog title="Add a source" size="large" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <AddSource
          domain={site.domain}
          onAdded={(number, run) => {
            setIsAdding(false);
            navigate(`${sitePath(site, "content", "sources", number)}${run === null ? "" : `?run=${run}`}`);
          }}
        />
      </Dialog>
    </div>
  );
}
