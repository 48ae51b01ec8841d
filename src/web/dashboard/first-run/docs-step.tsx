import { AddSource } from "../content/add-source/add-source.tsx";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { type Source, siteOperations } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";

interface DocsStepProps {
  site: SiteView;
  onAdded: (source: number, run: string | null) => void;
}

/** Asks where the docs are. Who left in the middle goes on with what they had chosen. */
export function DocsStep({ site, onAdded }: DocsStepProps) {
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
