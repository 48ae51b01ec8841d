import { type ComponentType, useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, toApiError } from "../api-error.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { NotFoundPage } from "../kit/feedback/not-found-page.tsx";
import { Card } from "../kit/layout/card.tsx";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import type { RouteParams } from "../route-match.ts";
import { navigate } from "../router.ts";
import type { SiteView } from "../site-view.ts";
import { useSites } from "../use-sites.tsx";
import { AccessForm } from "./access-form.tsx";
import { AnswersForm } from "./answers-form.tsx";
import { GeneralForm } from "./general-form.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { ModelForm } from "./model-form.tsx";
import { ReaderForm } from "./reader-form.tsx";
import { SettingsHeader, type SettingsTab, settingsTab } from "./settings-header.tsx";

/** What is shown below each tab; widget and keys are pages of their own. */
const PARTS: Partial<Record<SettingsTab, ComponentType<{ site: SiteView }>>> = {
  "": GeneralForm,
  answers: AnswersForm,
  model: ModelForm,
  limits: LimitsForm,
  access: AccessForm,
  reader: ReaderForm,
  remove: RemoveSite,
};

/** `/…/settings` and `/…/settings/{tab}`. */
export function SettingsPage({ site, params }: { site: SiteView; params: RouteParams }) {
  const tab = settingsTab(params["tab"]);
  const Part = tab === undefined ? undefined : PARTS[tab];
  if (tab === undefined || Part === undefined || (tab === "remove" && !site.mayChange))
    return <NotFoundPage />;
  return (
    <div className="stack-wide">
      <SettingsHeader site={site} tab={tab} />
      <Part key={tab} site={site} />
    </div>
  );
}

/** Takes a site away, for good, once its domain was typed. */
function RemoveSite({ site }: { site: SiteView }) {
  const api = useApi();
  const sites = useSites();
  const confirm = useConfirm();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const { domain, name } = site;

  async function remove(): Promise<void> {
    const isAgreed = await confirm({
      title: `Remove ${name}?`,
      text: "Its pages, sources, conversations and gaps are deleted at once. Only a backup can bring them back.",
      action: "Remove the site",
      typed: domain,
    });
    if (!isAgreed) return;
    setIsBusy(true);
    setError(undefined);
    try {
      await api.delete(`/v1/admin/sites/${encodeURIComponent(domain)}`, { confirm: domain });
      navigate("/", { replace: true });
      await sites.reload();
      toast(`${name} is removed.`);
    } catch (failed) {
      setError(toApiError(failed));
      setIsBusy(false);
    }
  }

  return (
    <Card
      title="Remove this site"
      description="With its pages, sources, conversations and gaps. Your docs themselves are not touched, and keys of the organization stay."
    >
      <div className="stack">
        {error && <Failed error={error} />}
        <div>
          <Button kind="danger" icon="trash" busy={isBusy} onClick={() => void remove()}>
            Remove this site
          </Button>
        </div>
      </div>
    </Card>
  );
}
