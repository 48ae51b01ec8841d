import type { Company } from "./companies.ts";
import { startProgram, untilAnswered } from "./running-program.ts";

const READY_MS = 20_000;

/** oauth2-proxy, where `make sign-in` could build it. */
export const OAUTH2_PROXY = process.env["DOCENT_SIGN_IN_OAUTH2_PROXY"];

interface ProxyOptions {
  /** Docent's own address. */
  upstream: string;
  issuer: string;
  client: Company["client"];
  /** The port that it listens on: the provider knows it by it. */
  port: number;
  scopes: readonly string[];
}

/** Where the provider sends people back to. */
export const proxyRedirect = (port: number) => `http://127.0.0.1:${port}/oauth2/callback`;

/** Starts oauth2-proxy before Docent, as its own documentation sets it up for a provider of OpenID Connect. */
export async function startOauth2Proxy(options: ProxyOptions) {
  if (OAUTH2_PROXY === undefined) throw new Error("there is no oauth2-proxy here; run: make sign-in");
  const program = OAUTH2_PROXY;
  const url = `http://127.0.0.1:${options.port}`;
  const words = [
    "--provider=oidc",
    `--oidc-issuer-url=${options.issuer}`,
    "--oidc-groups-claim=groups",
    `--client-id=${options.client.id}`,
    `--client-secret=${options.client.secret}`,
    `--redirect-url=${proxyRedirect(options.port)}`,
    "--code-challenge-method=S256",
    `--scope=${options.scopes.join(" ")}`,
    "--email-domain=*",
    "--skip-provider-button",
    `--http-address=127.0.0.1:${options.port}`,
    `--upstream=${options.upstream}`,
    "--pass-user-headers=true",
    "--cookie-secure=false",
    "--whitelist-domain=127.0.0.1:*",
    "--approval-prompt=auto",
  ];
  const running = await startProgram({
    command: () => [program, ...words],
    // The length of a key of AES-256.
    environment: { OAUTH2_PROXY_COOKIE_SECRET: crypto.randomUUID().replaceAll("-", "") },
    ready: /Cookie settings/,
    readyMs: READY_MS,
  });
  await untilAnswered(`${url}/ping`);
  return { ...running, url };
}
