import type { ComponentType } from "react";
import { AccountPage } from "../account/account-page.tsx";
import { AnswersPage } from "../answers/answers-page.tsx";
import { EditAnswerPage } from "../answers/edit-answer-page.tsx";
import { NewAnswerPage } from "../answers/new-answer-page.tsx";
import { FindPage } from "../content/find/find-page.tsx";
import { GenerationsPage } from "../content/generations-page.tsx";
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
  /** What the way to it calls it. */
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
  { pattern: "/server", page: ServerPage, crumb: "Server" },
];

export const SITE_ROUTES: readonly SiteRoute[] = [
  { pattern: "/dashboard/:organization/:domain", page: OverviewPage },
  {
    pattern: "/dashboard/:organization/:domain/conversations",
    page: ConversationsPage,
    crumb: "Conversations",
  },
  {
    pattern: "/dashboard/:organization/:domain/conversations/evaluation",
    page: EvaluationPage,
    crumb: "Conversations",
  },
  {
    pattern: "/dashboard/:organization/:domain/conversations/:message",
    page: TurnPage,
    crumb: "Conversations",
  },
  { pattern: "/dashboard/:organization/:domain/gaps", page: GapsPage, crumb: "Gaps" },
  { pattern: "/dashboard/:organization/:domain/answers", page: AnswersPage, crumb: "Answers" },
  { pattern: "/dashboard/:organization/:domain/answers/new", page: NewAnswerPage, crumb: "Answers" },
  { pattern: "/dashboard/:organization/:domain/answers/edit", page: EditAnswerPage, crumb: "Answers" },
  { pattern: "/dashboard/:organization/:domain/content", page: SourcesPage, crumb: "Content" },
  { pattern: "/dashboard/:organization/:domain/content/sources/:source", page: SourcePage, crumb: "Content" },
  { pattern: "/dashboard/:organization/:domain/content/pages", page: PagesPage, crumb: "Content" },
  { pattern: "/dashboard/:organization/:domain/content/page", page: PagePage, crumb: "Content" },
  { pattern: "/dashboard/:organization/:domain/content/find", page: FindPage, crumb: "Content" },
  {
    pattern: "/dashboard/:organization/:domain/content/generations",
    page: GenerationsPage,
    crumb: "Content",
  },
  { pattern: "/dashboard/:organization/:domain/playground", page: PlaygroundPage, crumb: "Playground" },
  { pattern: "/dashboard/:organization/:domain/settings", page: SettingsPage, crumb: "Settings" },
  { pattern: "/dashboard/:organization/:domain/settings/widget", page: WidgetPage, crumb: "Settings" },
  { pattern: "/dashboard/:organization/:domain/settings/keys", page: KeysPage, crumb: "Settings" },
  { pattern: "/dashboard/:organization/:domain/settings/:tab", page: SettingsPage, crumb: "Settings" },
];
