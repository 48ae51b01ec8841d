import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { KeycloakHome } from "../../test/sign-in/keycloak-process.ts";
import { NotHere } from "../bounded.ts";
import { DEX_VERSION, OAUTH2_PROXY_VERSION, obtainDex, obtainOauth2Proxy } from "./go-programs.ts";
import { KEYCLOAK_VERSION, obtainKeycloak } from "./keycloak.ts";

/** The programs that sign people in, each where it can be had. */
export interface Providers {
  keycloak?: KeycloakHome;
  dex?: string;
  oauth2Proxy?: string;
}

interface ObtainOptions {
  /** The first time, fetching and building them takes minutes. */
  untilMs: number;
  say(line: string): void;
}

/** Brings the programs into the user's cache, one after the other. One that is not available is told, and left out. */
export async function obtainProviders({ untilMs, say }: ObtainOptions): Promise<Providers> {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "docent-sign-in");
  mkdirSync(cache, { recursive: true });

  async function unlessMissing<Found>(
    name: string,
    obtain: (cache: string, untilMs: number) => Promise<Found>,
  ) {
    try {
      const found = await obtain(cache, untilMs);
      say(`${name} is here`);
      return found;
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      say(`no ${name}: its tests are left out. ${error.message}`);
      return undefined;
    }
  }

  const keycloak = await unlessMissing(`Keycloak ${KEYCLOAK_VERSION}`, obtainKeycloak);
  const dex = await unlessMissing(`Dex ${DEX_VERSION}`, obtainDex);
  const oauth2Proxy = await unlessMissing(`oauth2-proxy ${OAUTH2_PROXY_VERSION}`, obtainOauth2Proxy);
  return { ...(keycloak && { keycloak }), ...(dex && { dex }), ...(oauth2Proxy && { oauth2Proxy }) };
}
