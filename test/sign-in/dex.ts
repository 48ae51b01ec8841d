import { ownAuthority } from "../helpers/own-authority.ts";
import type { Directory } from "./directory.ts";
import { startProgram, untilAnswered } from "./running-program.ts";
import { settledPort } from "./settled-port.ts";

const READY_MS = 20_000;

/** Dex, where `make sign-in` could build it. */
export const DEX = process.env["DOCENT_SIGN_IN_DEX"];

export interface DexClient {
  id: string;
  /** None: a public client. */
  secret?: string;
  redirects: readonly string[];
}

interface DexOptions {
  clients: readonly DexClient[];
  /** Where people and their groups are. */
  directory: Directory;
  /** It speaks TLS, with a certificate of an authority of its own. */
  isSecure?: boolean;
  /** The port that an earlier one had: as after a restart, nothing of its memory is left, its keys neither. */
  port?: number;
}

/** Starts a Dex whose people are those of a directory. */
export async function startDex({ clients, directory, isSecure = false, port }: DexOptions) {
  if (DEX === undefined) throw new Error("there is no Dex here; run: make sign-in");
  const program = DEX;
  const ownPort = port ?? (await settledPort());
  const { authority, tls } = await ownAuthority("localhost");
  const issuer = `${isSecure ? "https" : "http"}://localhost:${ownPort}/dex`;
  const address = `127.0.0.1:${ownPort}`;
  const running = await startProgram({
    // JSON is YAML.
    command: (folder) => [program, "serve", `${folder}/dex.yaml`],
    files: {
      "certificate.pem": tls.cert,
      "key.pem": tls.key,
      "dex.yaml": JSON.stringify({
        issuer,
        storage: { type: "memory" },
        web: isSecure ? { https: address, tlsCert: "certificate.pem", tlsKey: "key.pem" } : { http: address },
        oauth2: { skipApprovalScreen: true },
        connectors: [{ type: "ldap", id: "ldap", name: "Directory", config: ldap(directory) }],
        staticClients: clients.map(({ id, secret, redirects }) => ({
          id,
          name: "Docent",
          redirectURIs: redirects,
          ...(secret === undefined ? { public: true } : { secret }),
        })),
      }),
    },
    ready: /listening on.*server="?https?/,
    readyMs: READY_MS,
  });
  // It says so a moment before it does.
  await untilAnswered(`${issuer}/healthz`, authority);
  return { ...running, issuer, authority, port: ownPort };
}

export type RunningDex = Awaited<ReturnType<typeof startDex>>;

function ldap(directory: Directory) {
  return {
    host: directory.address,
    insecureNoSSL: true,
    usernamePrompt: "Address",
    userSearch: {
      baseDN: directory.people,
      filter: "(objectClass=person)",
      username: "mail",
      idAttr: "uid",
      emailAttr: "mail",
      nameAttr: "cn",
    },
    groupSearch: {
      baseDN: directory.groups,
      filter: "(objectClass=groupOfNames)",
      userMatchers: [{ userAttr: "DN", groupAttr: "member" }],
      nameAttr: "cn",
    },
  };
}
