import { Button } from "../../kit/buttons/button.tsx";
import { Menu } from "../../kit/overlay/menu.tsx";
import type { RunJob, Source } from "../../replies.ts";
import { navigate } from "../../router.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { useSourceActions } from "./use-source-actions.ts";

interface SourceActionsProps {
  site: SiteView;
  source: Source;
  /** It is being read, or removed. */
  isBusy: boolean;
  onChanged: () => void;
}

/** Reads a source, or takes it away. */
export function SourceActions({ site, source, isBusy, onChanged }: SourceActionsProps) {
  const actions = useSourceActions(site, source);
  const then = (began: Promise<RunJob | undefined>) => void began.then((job) => job && onChanged());
  return (
    <div className="content-actions">
      <Button
        size="small"
        icon="refresh"
        busy={actions.isSending || isBusy}
        onClick={() => then(actions.run())}
      >
        Read now<span className="visually-hidden">: {source.place}</span>
      </Button>
      <Menu
        label={`More for ${source.place}`}
        icon="more"
        items={[
          {
            label: "Show its runs and ledger",
            icon: "page",
            onSelect: () => navigate(sitePath(site, "content", "sources", source.number)),
          },
          {
            label: "Read, and take away what is gone",
            isDisabled: isBusy,
            onSelect: () => then(actions.again(true)),
          },
          {
            label: "Remove the source",
            icon: "trash",
            tone: "bad",
            isDisabled: isBusy,
            onSelect: () => then(actions.remove()),
          },
        ]}
      />
    </div>
  );
}
