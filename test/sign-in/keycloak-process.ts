import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { ownAuthority } from "../helpers/own-authority.ts";
import { type RunningProgram, startProgram } from "./running-program.ts";

/** A Keycloak that was made ready, and is not running. */
export interface KeycloakHome {
  /** The folder that was unpacked. */
  folder: string;
  /** A folder with a database in which its first administrator is; it is made where there is none. */
  database: string;
  /** The administrator's password. */
  password: string;
}

export interface RunningKeycloak extends RunningProgram {
  /** Its origins: they name an issuer each, whoever asks. */
  url: string;
  secureUrl: string;
  /** The authority that its certificate is of, in PEM. */
  authority: string;
}

const ADMINISTRATOR = "admin";
const DATABASE_FILE = "keycloakdb.mv.db";
/** On two processors that others use too. */
const READY_MS = 4 * 60_000;
const HEAP = "-Xms64m -Xmx512m";

/** Where a running Keycloak makes its own changes: they go when it ends. */
export const startKeycloak = (home: KeycloakHome) => start(home, (folder) => folder);

/**
 * Starts it once, so that the database has its tables and its administrator: this takes most of a first start's time.
 */
export async function prepareDatabase(home: KeycloakHome): Promise<void> {
  if (existsSync(join(home.database, DATABASE_FILE))) return;
  const running = await start(home, () => home.database);
  await running.stop();
}

async function start(home: KeycloakHome, databaseIn: (folder: string) => string): Promise<RunningKeycloak> {
  const { authority, tls } = await ownAuthority("localhost");
  const command = (folder: string) => {
    const database = databaseIn(folder);
    if (existsSync(home.database) && database !== home.database)
      cpSync(join(home.database, DATABASE_FILE), join(database, DATABASE_FILE));
    return [
      "sh",
      join(home.folder, "bin/kc.sh"),
      "start",
      "--optimized",
      `--db-url=jdbc:h2:file:${database}/keycloakdb;NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`,
      "--http-enabled=true",
      "--http-host=127.0.0.1",
      "--http-port=0",
      "--https-port=0",
      `--https-certificate-file=${folder}/certificate.pem`,
      `--https-certificate-key-file=${folder}/key.pem`,
      // Its address is the one that it was asked at.
      "--hostname-strict=false",
      "--cache=local",
    ];
  };
  const running = await startProgram({
    command,
    files: { "certificate.pem": tls.cert, "key.pem": tls.key },
    environment: {
      JAVA_OPTS_KC_HEAP: HEAP,
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR,
      KC_BOOTSTRAP_ADMIN_PASSWORD: home.password,
    },
    ready: /Listening on: (http:\S+) and https:\/\/[^:]+:(\d+)/,
    readyMs: READY_MS,
    isScript: true,
  });
  const [, url = "", port = ""] = running.ready;
  const secureUrl = `https://localhost:${port}`;
  // The first ones that are answered take seconds, which is nothing that tests should see.
  for (const origin of [url, secureUrl])
    await fetch(`${origin}/realms/master/.well-known/openid-configuration`, { tls: { ca: authority } });
  return { ...running, url, secureUrl, authority };
}
