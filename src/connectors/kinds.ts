/** The kinds of servers that are read through their API: what a source of one is called. */
export const CONNECTOR_KINDS = ["gitea", "github", "gitlab", "mediawiki"] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

export const isConnectorKind = (kind: string): kind is ConnectorKind =>
  CONNECTOR_KINDS.some((each) => each === kind);

/** The hosts that are asked for what is at an address: GitHub's own servers have their API at another. */
export function hostsOf(kind: ConnectorKind, { host }: Pick<URL, "host">): string[] {
  const isGitHub = kind === "github" && (host === "github.com" || host.endsWith(".ghe.com"));
  return isGitHub ? [host, `api.${host}`] : [host];
}
