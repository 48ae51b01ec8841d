/** The kinds of servers that are read through their API: what a source of one is called. */
export const CONNECTOR_KINDS = ["confluence", "mediawiki"] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** What people call them. */
export const CONNECTOR_NAMES: Readonly<Record<ConnectorKind, string>> = {
  confluence: "Confluence",
  mediawiki: "MediaWiki",
};

export const isConnectorKind = (kind: string): kind is ConnectorKind =>
  CONNECTOR_KINDS.some((each) => each === kind);

/** Where the servers of a kind keep their files, if not with them: a redirect there is followed, without the sign-in. */
const FILE_HOSTS: Partial<Record<ConnectorKind, readonly string[]>> = {
  confluence: ["api.media.atlassian.com"],
};

export const fileHostsOf = (kind: ConnectorKind): readonly string[] => FILE_HOSTS[kind] ?? [];
