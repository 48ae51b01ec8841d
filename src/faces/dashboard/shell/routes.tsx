import type { ComponentType } from "react";
import { AccountPage } from "../account/account-page.tsx";
import { AnswersPage } from "../answers/answers-page.tsx";
import { EditAnswerPage } from "../answers/edit-answer-page.tsx";
import { NewAnswerPage } from "../answers/new-answer-page.tsx";
import { AuditPage } from "../audit/audit-page.tsx";
import { FidelityPage } from "../content/fidelity-page.tsx";
import { FindPage } from "../content/find/find-page.tsx";
import { GenerationsPage } from "../content/generations-page.tsx";
import { GenerationReportPage } from "../content/golden/generation-report-page.tsx";
import { GoldenPage } from "../content/golden/golden-page.tsx";
import { PagePage } from "../content/pages/page-page.tsx";
import { PagesPage } from "../content/pages/pages-page.tsx";
import { SourcePage } from "../content/sources/source-page.tsx";
import { SourcesPage } from "../content/sources/sources-page.tsx";
import { EvaluationPage } from "../conversations/evaluation/evaluation-page.tsx";
import { ConversationsPage } from "../conversations/list/conversations-page.tsx";
import { TurnPage } from "../conversations/turn/turn-page.tsx";
import { FirstRunPage } from "../first-run/first-run-page.tsx";
import { GapsPage } from "../gaps/gaps-page.tsx";
import { MembersPage } from "../members/members-page.tsx";
import { NoticesPage } from "../notices/notices-page.tsx";
import { OverviewPage } from "../overview/overview-page.tsx";
import { PlaygroundPage } from "../playground/playground-page.tsx";
import type { RouteParams } from "../route-match.ts";
import { ServerPage } from "../server/server-page.tsx";
import { KeysPage } from "../settings/keys/keys-page.tsx";
import { SettingsPage } from "../settings/settings-page.tsx";
import { WidgetPage } from "../settings/widget/widget-page.tsx";
import type { SiteView } from "../site-view.ts";
import { SitesPage } from "../sites/sites-page.tsx";

/** A page that is about the server, or nothing in particular. */
interface ServerRoute {
  pattern: string;
  page: ComponentType<{ params: RouteParams }>;
  /** The page's name in the breadcrumbs. */
  crumb?: string;
}

/** A page about a site: it is shown when the site is known. */
export interface SiteRoute {
  pattern: string;
  page: ComponentType<{ site: SiteView; params: RouteParams }>;
  crumb?: string;
}

export const SERVER_ROUTES: readonly ServerRoute[] = [
  { pattern: "/", page: SitesPage },
  { pattern: "/new", page: FirstRunPage, crumb: "Add a site" },
  { pattern: "/account", page: AccountPage, crumb: "Your account" },
  { pattern: "/members", page: MembersPage, crumb: "Members" },
  { pattern: "/notices", page: NoticesPage, crumb: "Notices" },
  { pattern: "/audit", page: AuditPage, crumb: "Audit log" },
  { pattern: "/server", page: ServerPage, crumb: "Server" },
];

/** A page about a site, by what stands behind `/dashboard/{organization}/{domain}`. */
const ofSite = (path: string, page: SiteRoute["page"], crumb?: string): SiteRoute => ({
  pattern: `/dashboard/:organization/:domain${path}`,
  page,
  ...(crumb && { crumb }),
});

export const SITE_ROUTES: readonly SiteRoute[] = [
  ofSite("", OverviewPage),
  ofSite("/conversations", ConversationsPage, "Conversations"),
  ofSite("/conversations/evaluation", EvaluationPage, "Conversations"),
  ofSite("/conversations/:message", TurnPage, "Conversations"),
  ofSite("/gaps", GapsPage, "Gaps"),
  ofSite("/answers", AnswersPage, "Answers"),
  ofSite("/answers/new", NewAnswerPage, "Answers"),
  ofSite("/answers/edit", EditAnswerPage, "Answers"),
  ofSite("/content", SourcesPage, "Content"),
  ofSite("/content/sources/:source", SourcePage, "Content"),
  ofSite("/content/pages", PagesPage, "Content"),
  ofSite("/content/page", PagePage, "Content"),
  ofSite("/content/find", FindPage, "Content"),
  ofSite("/content/report", FidelityPage, "Content"),
  ofSite("/content/golden", GoldenPage, "Content"),
  ofSite("/content/generations", GenerationsPage, "Content"),
  ofSite("/content/generations/:number", GenerationReportPage, "Content"),
  ofSite("/playground", PlaygroundPage, "Playground"),
  ofSite("/settings", SettingsPage, "Settings"),
  ofSite("/settings/widget", WidgetPage, "Settings"),
  ofSite("/settings/keys", KeysPage, "Settings"),
  ofSite("/settings/:tab", SettingsPage, "Settings"),
];
