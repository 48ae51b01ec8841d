import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  type OAuthClientProvider,
  UnauthorizedError,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { McpClient } from "./mcp-client.ts";
import { smallBrowser } from "./small-browser.ts";

const ME = { name: "test", version: "1" };

/** One try to connect, and what makes the next one go better. */
interface Try {
  connected: Promise<McpClient>;
  finish(callback: URLSearchParams): Promise<void>;
}

type Connect = (url: URL, authProvider: OAuthClientProvider) => Try;

const connectOld: Connect = (url, authProvider) => {
  const transport = new OldTransport(url, { authProvider });
  const client = new OldClient(ME);
  return {
    connected: client.connect(transport).then(() => client),
    finish: (callback) => transport.finishAuth(callback.get("code") ?? ""),
  };
};

const connectNew =
  (mode: VersionNegotiationMode): Connect =>
  (url, authProvider) => {
    const transport = new NewTransport(url, { authProvider });
    const client = new NewClient(ME, { versionNegotiation: { mode } });
    return {
      connected: client.connect(transport).then(() => client),
      finish: (callback) => transport.finishAuth(callback),
    };
  };

/** The official clients, as they come to speak different revisions of the protocol. */
export const AGENTS: [name: string, connect: Connect][] = [
  ["the client of SDK 1", connectOld],
  ["the client of SDK 2, with a handshake", connectNew("legacy")],
  ["the client of SDK 2, which looks first", connectNew("auto")],
];

/** An agent on somebody's machine, which gets its access token by the official client's own flow. */
export interface OAuthAgent extends Disposable {
  /** Connects, and signs in by a browser where it is asked to. */
  connect(url: string): Promise<McpClient>;
  /** Where it sent the browser. */
  asked: URL[];
  tokens(): { access: string; id: string };
  /** It goes on with that access token. */
  keep(token: string): void;
}

interface Kept {
  known: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
  tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  discovered?: Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;
  verifier: string;
}

interface AgentOptions {
  connect?: Connect;
  /** The client that somebody has made for it; it registers itself otherwise. */
  clientId?: string;
  /** Takes a browser through the provider's pages, to where it comes back with the code. */
  throughPages?: (url: string, until: string) => Promise<string>;
}

export function startAgent(options: AgentOptions = {}): OAuthAgent {
  const { connect = connectNew("auto"), clientId, throughPages = alone } = options;
  const listener = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("Go back.") });
  const redirectUrl = `http://127.0.0.1:${listener.port}/callback`;
  const kept: Kept = { verifier: "", known: clientId === undefined ? undefined : { client_id: clientId } };
  const asked: URL[] = [];
  const provider = providerOf(redirectUrl, kept, asked);

  /** The browser's way through the provider's pages, to the code. */
  async function signIn(): Promise<URLSearchParams> {
    const url = await throughPages(asked.at(-1)?.href ?? "", redirectUrl);
    if (!url.startsWith(redirectUrl)) throw new Error(`the browser came to ${url}`);
    return new URL(url).searchParams;
  }

  return {
    async connect(address) {
      const url = new URL(address);
      const first = connect(url, provider);
      try {
        return await first.connected;
      } catch (error) {
        if (!(error instanceof UnauthorizedError || error instanceof OldUnauthorizedError)) throw error;
        await first.finish(await signIn());
        return connect(url, provider).connected;
      }
    },
    asked,
    tokens: () => ({ access: kept.tokens?.access_token ?? "", id: kept.tokens?.id_token ?? "" }),
    keep(token) {
      kept.tokens = { access_token: token, token_type: "Bearer" };
    },
    [Symbol.dispose]: () => void listener.stop(true),
  };
}

/** Where nobody is asked anything. */
const alone = async (url: string) => (await smallBrowser().go(url)).url.href;

const providerOf = (redirectUrl: string, kept: Kept, asked: URL[]): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: {
    client_name: "An agent",
    redirect_uris: [redirectUrl],
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    response_types: ["code"],
  },
  clientInformation: () => kept.known,
  saveClientInformation(known) {
    kept.known = known;
  },
  tokens: () => kept.tokens,
  saveTokens(tokens) {
    kept.tokens = tokens;
  },
  redirectToAuthorization: (url) => void asked.push(url),
  saveCodeVerifier(verifier) {
    kept.verifier = verifier;
  },
  codeVerifier: () => kept.verifier,
  discoveryState: () => kept.discovered,
  saveDiscoveryState(discovered) {
    kept.discovered = discovered;
  },
});
