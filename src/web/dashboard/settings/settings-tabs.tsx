import { TabLinks } from "../kit/tab-links.tsx";
import { type SiteView, sitePath } from "../site-view.ts";

/** What a site's settings are about, by the last part of the address. */
const TABS = [
  { tab: "", label: "General" },
  { tab: "answers", label: "Answers" },
  { tab: "model", label: "Model" },
  { tab: "limits", label: "Limits" },
  { tab: "access", label: "Access" },
  { tab: "widget", label: "Widget" },
  { tab: "keys", label: "Keys" },
  { tab: "remove", label: "Remove" },
] as const;

export type SettingsTab = (typeof TABS)[number]["tab"];

/** The tab that an address names; undefined for one that there is not. */
export const settingsTab = (named: string | undefined): SettingsTab | undefined =>
  TABS.find(({ tab }) => tab === (named ?? ""))?.tab;

/** The ways between the parts of a site's settings. A viewer is not shown what removes it. */
export function SettingsTabs({ site, current }: { site: SiteView; current: SettingsTab }) {
  const shown = TABS.filter(({ tab }) => site.mayChange || tab !== "remove");
  const links = shown.map(({ tab, label }) => ({
    ...{ label, isCurrent: tab === current },
    to: tab === "" ? sitePath(site, "settings") : sitePath(site, "settings", tab),
  }));
  return <TabLinks label="Settings" links={links} />;
}
