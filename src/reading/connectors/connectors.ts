import type { Connector } from "./connector.ts";
import type { ConnectorKind } from "./kinds.ts";
import type { PageWriter } from "./rendered.ts";

export type {
  Connector,
  ListedPage,
  ServerAccess,
  ServerListing,
  ServerMenuEntry,
  ServerPages,
  ServerReply,
  ServerRequest,
} from "./connector.ts";
export {
  apiHostsOf,
  CONNECTOR_KINDS,
  CONNECTOR_NAMES,
  type ConnectorKind,
  fileHostsOf,
  isConnectorKind,
  RENDERING_KINDS,
} from "./kinds.ts";
export { endless } from "./onward.ts";
export type { PageWriter, RenderedPage, WrittenPage } from "./rendered.ts";
export { jsonSaid } from "./said.ts";

/** Each is loaded when the first source of its kind is read. */
const CONNECTORS: Record<ConnectorKind, () => Promise<Connector>> = {
  confluence: async () => (await import("./confluence/confluence.ts")).confluence,
  gitea: async () => (await import("./gitea/gitea.ts")).gitea,
  github: async () => (await import("./github/github.ts")).github,
  gitlab: async () => (await import("./gitlab/gitlab.ts")).gitlab,
  mediawiki: async () => (await import("./mediawiki/mediawiki.ts")).mediawiki,
  bookstack: async () => (await import("./bookstack/bookstack.ts")).bookstack,
  outline: async () => (await import("./outline/outline.ts")).outline,
  wikijs: async () => (await import("./wikijs/wikijs.ts")).wikijs,
  dokuwiki: async () => (await import("./dokuwiki/dokuwiki.ts")).dokuwiki,
  xwiki: async () => (await import("./xwiki/xwiki.ts")).xwiki,
};

export const loadConnector = (kind: ConnectorKind): Promise<Connector> => CONNECTORS[kind]();

/** Makes Markdown of pages in this process, for as long as it takes. */
export const writeHere: PageWriter = async (kind, page) => {
  const { writePage } = await loadConnector(kind);
  if (writePage === undefined) throw new Error(`${kind} shows no pages as HTML`);
  return writePage(page);
};
