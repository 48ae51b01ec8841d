import { PageHeader } from "../kit/layout/page-header.tsx";
import { TabLinks } from "../kit/layout/tab-links.tsx";
import { type SiteView, sitePath } from "../site-view.ts";

/** The head of every page of a site's settings, with the ways between them. A viewer is not shown what removes it. */
export function SettingsHeader({ site, tab }: { site: SiteView; tab: SettingsTab }) {
  const shown = TABS.filter((each) => site.mayChange || each.tab !== "remove");
  return (
    <>
      <PageHeader title="Settings" view={TABS.find((each) => each.tab === tab)?.label} of={site.name} />
      <TabLinks
        label="Settings"
        links={shown.map((each) => ({
          to: each.tab === "" ? sitePath(site, "settings") : sitePath(site, "settings", each.tab),
          label: each.label,
          isCurrent: each.tab === tab,
        }))}
      />
    </>
  );
}

/** What a site's settings are about, by the last part of the address. */
const TABS = [
  { tab: "", label: "General" },
  { tab: "answers", label: "Answers" },
  { tab: "model", label: "Model" },
  { tab: "limits", label: "Limits" },
  { tab: "access", label: "Access" },
  { tab: "widget", label: "Widget" },
  { tab: "reader", label: "Reader site" },
  { tab: "keys", label: "Keys" },
  { tab: "remove", label: "Remove" },
] as const;

export type SettingsTab = (typeof TABS)[number]["tab"];

/** The tab that an address names; undefined for one that there is not. */
export const settingsTab = (named: string | undefined): SettingsTab | undefined =>
  TABS.find(({ tab }) => tab === (named ?? ""))?.tab;
