import type { Connector } from "./connector.ts";
import type { ConnectorKind } from "./kinds.ts";

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
} from "./kinds.ts";
export { endless } from "./onward.ts";
export {
  type PageWriter,
  RENDERING_KINDS,
  type RenderingKind,
  type WrittenPage,
  writeHere,
} from "./page-writer.ts";
export type { RenderedPage } from "./rendered.ts";
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
