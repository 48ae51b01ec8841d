/** What notices are about. Names are never changed: they are kept, and programs go by them. */
export const NOTICE_KINDS = [
  "source-failing",
  "gaps-growing",
  "answer-stale",
  "golden-worse",
  "generation-report",
  "disk-full",
  "backup-failed",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Kinds that are about the server itself: its operator's affair, and no organization's. */
const OF_SERVER: ReadonlySet<NoticeKind> = new Set(["disk-full", "backup-failed"]);

export const isOfServer = (kind: NoticeKind) => OF_SERVER.has(kind);

/** Kinds that tell with every change that all is as it should be: sent to nobody who has not asked for them. */
const ON_REQUEST: ReadonlySet<NoticeKind> = new Set(["generation-report"]);

export const isOnRequest = (kind: NoticeKind) => ON_REQUEST.has(kind);

/**
 * `bad` where something begins, or goes on, and `well` where it is over; `news` of what is neither, and `undone` where that
 * was taken back.
 */
export const NOTICE_STATES = ["bad", "well", "news", "undone"] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** Ways on which notices go out. `chat` is what Slack, Mattermost and Rocket.Chat have in common. */
export const NOTICE_CHANNELS = ["webhook", "mail", "chat", "discord"] as const;
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

/** What a notice says. */
export interface Notice {
  id: string;
  /** `test` is sent when somebody tries a destination. */
  kind: NoticeKind | "test";
  state: NoticeState;
  /** Of the site that it is about. */
  site: { domain: string; name: string } | undefined;
  title: string;
  text: string;
  /** Where in the dashboard it is shown. */
  url: string | undefined;
  at: number;
  /** The whole of what it tells, for programs. */
  report?: Readonly<Record<string, unknown>> | undefined;
}

/** Where notices go. */
export interface NoticeDestination {
  id: string;
  /** Whose it is; undefined: the server's own. */
  organizationId: string | undefined;
  name: string;
  channel: NoticeChannel;
  address: string;
  /** What a webhook is signed with. */
  secret: string | undefined;
  kinds: readonly NoticeKind[];
  createdAt: number;
}

/** The notice as a person reads it. */
export const textOf = ({ text, url }: Pick<Notice, "text" | "url">): string =>
  url === undefined ? text : `${text}\n\n${url}`;
