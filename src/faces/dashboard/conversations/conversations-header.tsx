import type { ReactNode } from "react";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { TabLinks } from "../kit/layout/tab-links.tsx";
import { type SiteView, sitePath } from "../site-view.ts";

interface ConversationsHeaderProps {
  site: SiteView;
  view: "conversations" | "evaluation";
  actions?: ReactNode;
}

const TITLES = {
  conversations: {
    title: "Conversations",
    description: "What readers asked, what they got, and what they said of it.",
  },
  evaluation: {
    title: "Evaluation questions",
    description:
      "Real questions with the pages that should be found for them. docent eval measures with them.",
  },
};

/** The head of the pages about conversations. */
export function ConversationsHeader({ site, view, actions }: ConversationsHeaderProps) {
  return (
    <>
      <PageHeader {...TITLES[view]} of={site.name} actions={actions} />
      <TabLinks
        label="Conversations"
        links={[
          {
            to: sitePath(site, "conversations"),
            label: "Conversations",
            isCurrent: view === "conversations",
          },
          {
            to: sitePath(site, "conversations", "evaluation"),
            label: "Evaluation questions",
            isCurrent: view === "evaluation",
          },
        ]}
      />
    </>
  );
}
