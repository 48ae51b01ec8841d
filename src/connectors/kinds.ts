/** The kinds of servers that are read through their API: what a source of one is called. */
export const CONNECTOR_KINDS = ["mediawiki", "bookstack", "outline", "wikijs", "dokuwiki", "xwiki"] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

export const isConnectorKind = (kind: string): kind is ConnectorKind =>
  CONNECTOR_KINDS.some((each) => each === kind);
