import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";

/** What others have, and what is built here. */
export const OAUTH2_PROXY_VERSION = "v7.15.6";
/** The newest that the module proxy has: Dex's tags are none of Go's. `dex/go.mod` pins it, with all that it needs. */
export const DEX_VERSION = "v2.41.1";

/** Builds oauth2-proxy, once, into the folder. Raises NotHere where that is not possible. */
export async function obtainOauth2Proxy(cache: string, untilMs: number): Promise<string> {
  const home = join(cache, `oauth2-proxy-${OAUTH2_PROXY_VERSION}`);
  const path = join(home, "oauth2-proxy");
  if (existsSync(path)) return path;
  requireGo("oauth2-proxy");
  const module = `github.com/oauth2-proxy/oauth2-proxy/v7@${OAUTH2_PROXY_VERSION}`;
  await runBounded(["go", "install", "-ldflags=-s -w", module], {
    untilMs,
    environment: { CGO_ENABLED: "0", GOBIN: home },
  });
  return path;
}

/** Builds Dex, once, into the folder. Raises NotHere where that is not possible. */
export async function obtainDex(cache: string, untilMs: number): Promise<string> {
  const home = join(cache, `dex-${DEX_VERSION}`);
  const path = join(home, "dex");
  if (existsSync(path)) return path;
  requireGo("Dex");
  // It holds SQLite, whether that is used or not.
  if (Bun.which("gcc") === null && Bun.which("clang") === null)
    throw new NotHere("there is no C compiler to build Dex with");
  mkdirSync(home, { recursive: true });
  for (const file of ["go.mod", "go.sum"]) cpSync(join(import.meta.dir, "dex", file), join(home, file));
  await runBounded(["go", "build", "-ldflags=-s -w", "-o", path, "github.com/dexidp/dex/cmd/dex"], {
    untilMs,
    folder: home,
    environment: { CGO_ENABLED: "1", GOFLAGS: "-mod=readonly" },
  });
  return path;
}

function requireGo(program: string): void {
  if (Bun.which("go") === null) throw new NotHere(`there is no go on the PATH that could build ${program}`);
}
