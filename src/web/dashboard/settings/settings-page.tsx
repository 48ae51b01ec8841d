import type { ComponentType } from "react";
import { NotFoundPage } from "../kit/feedback/not-found-page.tsx";
import type { RouteParams } from "../route-match.ts";
import type { SiteView } from "../site-view.ts";
import { AccessForm } from "./access-form.tsx";
import { AnswersForm } from "./answers-form.tsx";
import { GeneralForm } from "./general-form.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { ModelForm } from "./model-form.tsx";
import { ReaderForm } from "./reader-form.tsx";
import { RemoveSite } from "./remove-site.tsx";
import { SettingsHeader } from "./settings-header.tsx";
import { type SettingsTab, settingsTab } from "./settings-tabs.ts";

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
