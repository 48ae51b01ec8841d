import { PageHeader } from "../kit/layout/page-header.tsx";
import { TabLinks } from "../kit/layout/tab-links.tsx";
import { type SiteView, sitePath } from "../site-view.ts";
import { type SettingsTab, TABS } from "./settings-tabs.ts";

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
