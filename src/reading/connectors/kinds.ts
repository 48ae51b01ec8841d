/** The kinds of servers that are read through their API: what a source of one is called. */
export const CONNECTOR_KINDS = [
  "confluence",
  "mediawiki",
  "bookstack",
  "outline",
  "wikijs",
  "dokuwiki",
  "xwiki",
  "gitlab",
  "gitea",
  "github",
] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** Kinds whose servers show a page as HTML, which is made Markdown here. */
export const RENDERING_KINDS = [
  "bookstack",
  "confluence",
  "dokuwiki",
  "mediawiki",
  "wikijs",
  "xwiki",
] as const satisfies readonly ConnectorKind[];
export type RenderingKind = (typeof RENDERING_KINDS)[number];

/** What people call them. */
export const CONNECTOR_NAMES: Readonly<Record<ConnectorKind, string>> = {
  confluence: "Confluence",
  mediawiki: "MediaWiki",
  bookstack: "BookStack",
  outline: "Outline",
  wikijs: "Wiki.js",
  dokuwiki: "DokuWiki",
  xwiki: "XWiki",
  gitlab: "GitLab",
  gitea: "Gitea",
  github: "GitHub",
};

export const isConnectorKind = (kind: string): kind is ConnectorKind =>
  CONNECTOR_KINDS.some((each) => each === kind);

/** GitHub's own servers have their API at a host of its own, which is asked with what the source signs in with. */
export function apiHostsOf(kind: ConnectorKind, address: string): readonly string[] {
  const { host = "" } = URL.parse(address) ?? {};
  const isGitHub = kind === "github" && (host === "github.com" || host.endsWith(".ghe.com"));
  return isGitHub ? [`api.${host}`] : [];
}

/** Where services keep their files, if not with their pages, by the host that a source names. */
const FILE_HOSTS: readonly { host: RegExp; files: readonly string[] }[] = [
  { host: /^[\w-]+\.atlassian\.net$/, files: ["api.media.atlassian.com"] },
];

/** The hosts to which a server at an address redirects for its files. It is followed there, without the sign-in. */
export function fileHostsOf(address: string): readonly string[] {
  const hostname = URL.parse(address)?.hostname ?? "";
  return FILE_HOSTS.flatMap(({ host, files }) => (host.test(hostname) ? files : []));
}
