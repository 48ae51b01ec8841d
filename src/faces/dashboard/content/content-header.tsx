import type { ReactNode } from "react";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { TabLinks } from "../kit/layout/tab-links.tsx";
import { type SiteView, sitePath } from "../site-view.ts";
import "./content.css";

const VIEWS = [
  { name: "sources", label: "Sources", path: [] },
  { name: "pages", label: "Pages", path: ["pages"] },
  { name: "find", label: "Why is it found?", path: ["find"] },
  { name: "report", label: "Report", path: ["report"] },
  { name: "golden", label: "Golden questions", path: ["golden"] },
  { name: "generations", label: "Generations", path: ["generations"] },
] as const;

interface ContentHeaderProps {
  site: SiteView;
  view: (typeof VIEWS)[number]["name"];
  actions?: ReactNode;
}

/** The head of every page about a site's content, with the ways between them. */
export function ContentHeader({ site, view, actions }: ContentHeaderProps) {
  return (
    <>
      <PageHeader
        title="Content"
        view={VIEWS.find(({ name }) => name === view)?.label}
        of={site.name}
        description="What your assistant answers from: where it comes from, and what can be found in it."
        actions={actions}
      />
      <TabLinks
        label="Content"
        links={VIEWS.map(({ name, label, path }) => ({
          to: sitePath(site, "content", ...path),
          label,
          isCurrent: name === view,
        }))}
      />
    </>
  );
}
