import { useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, faultOf, toApiError } from "../api-error.ts";
import { useUnsaved } from "../kit/form/use-unsaved.ts";
import { useToast } from "../kit/overlay/toast.tsx";
import type { SiteView } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { useSites } from "../use-sites.tsx";

/** What is sent to change a site. */
export interface SiteChange {
  name?: string;
  url?: string;
  settings?: Partial<SiteView["settings"]>;
  hostNames?: string[];
}

/** A form over some of a site's settings: as they are, with what was changed and not saved yet. */
export interface SettingsForm<Draft> {
  draft: Draft;
  set(change: Partial<Draft>): void;
  isDirty: boolean;
  isBusy: boolean;
  /** Whoever only looks changes nothing. */
  isReadOnly: boolean;
  error: ApiError | undefined;
  /** What the server said of one field, by its path: `settings.origins`. */
  fault(path: string): string | undefined;
  save(): Promise<void>;
  discard(): void;
}

interface FormOptions<Draft> {
  /** What of the site the form is about. */
  read: (site: SiteView) => Draft;
  toChange: (draft: Draft) => SiteChange;
}

/** Keeps what was changed apart from what is saved, so that both can be compared. `read` and `toChange` are fixed. */
export function useSettingsForm<Draft extends object>(
  site: SiteView,
  { read, toChange }: FormOptions<Draft>,
): SettingsForm<Draft> {
  const api = useApi();
  const sites = useSites();
  const toast = useToast();
  const attempt = useAttempt();
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const saved = read(site);
  const draft = { ...saved, ...edits };
  const change = changeFrom(toChange(saved), toChange(draft));
  const isDirty = Object.keys(change).length > 0;
  useUnsaved(isDirty && !isBusy);

  async function send(change: SiteChange): Promise<void> {
    await api.patch(`/v1/admin/sites/${encodeURIComponent(site.domain)}`, change);
    await sites.reload();
  }

  const undo = () =>
    attempt(async () => {
      await send(changeFrom(toChange(draft), toChange(saved)));
      toast("The change is undone.");
    });

  return {
    draft,
    isDirty,
    isBusy,
    error,
    isReadOnly: !site.mayChange,
    set: (edit) => setEdits((before) => ({ ...before, ...edit })),
    fault: (path) => faultOf(error, path),
    discard() {
      setEdits({});
      setError(undefined);
    },
    async save() {
      if (isBusy || !isDirty) return;
      setIsBusy(true);
      setError(undefined);
      try {
        await send(change);
        // What was typed meanwhile is not saved yet.
        setEdits((now) => (now === edits ? {} : now));
        toast("Saved.", { action: { label: "Undo", run: () => void undo() } });
      } catch (failed) {
        setError(toApiError(failed));
      } finally {
        setIsBusy(false);
      }
    },
  };
}

/** Only what differs is sent: what somebody else set meanwhile stays. */
function changeFrom({ settings: before = {}, ...old }: SiteChange, next: SiteChange): SiteChange {
  const { settings = {}, ...others } = next;
  const changed = differing(before, settings);
  return { ...differing(old, others), ...(Object.keys(changed).length > 0 && { settings: changed }) };
}

const differing = (before: object, next: object) =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(value, Reflect.get(before, name))),
  );

/** Both are plain data, with their fields in one order. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
