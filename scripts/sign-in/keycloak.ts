import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeycloakHome, prepareDatabase } from "../../test/sign-in/keycloak-process.ts";
import { NotHere, runBounded } from "../bounded.ts";

export const KEYCLOAK_VERSION = "26.7.3";
const SHA256 = "27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f";
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`;
const UNPACKER = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";
const OLDEST_JAVA = 17;

/**
 * Brings Keycloak from a Maven repository into the folder, and makes it ready to start, once. Raises NotHere where it is
 * not available.
 */
export async function obtainKeycloak(cache: string, untilMs: number): Promise<KeycloakHome> {
  const place = join(cache, `keycloak-${KEYCLOAK_VERSION}`);
  const home = { folder: join(place, "program"), database: join(place, "database") };
  const done = join(place, "password");
  requireJava();
  if (existsSync(done)) return { ...home, password: readFileSync(done, "utf8") };
  rmSync(place, { recursive: true, force: true });
  mkdirSync(home.database, { recursive: true });
  await unpack(home.folder, cache, untilMs);
  // What is decided once is not decided at each start.
  await runBounded(["sh", join(home.folder, "bin/kc.sh"), "build", "--db=dev-file"], { untilMs });
  const password = crypto.randomUUID();
  await prepareDatabase({ ...home, password });
  writeFileSync(done, password, { mode: 0o600 });
  return { ...home, password };
}

function requireJava(): void {
  if (Bun.which("java") === null) throw new NotHere("Keycloak needs Java, and there is no java on the PATH");
  const said = Bun.spawnSync(["java", "-version"]).stderr.toString();
  const version = Number(/version "(\d+)/.exec(said)?.[1] ?? 0);
  if (version < OLDEST_JAVA) throw new NotHere(`Keycloak needs Java ${OLDEST_JAVA}, and here is ${version}`);
}

async function unpack(target: string, cache: string, untilMs: number): Promise<void> {
  const work = mkdtempSync(join(cache, "download-"));
  const maven = (goal: string, ...words: string[]) =>
    runBounded(
      [
        "mvn",
        "-q",
        "-B",
        ...words,
        `${UNPACKER}:${goal}`,
        `-Dartifact=${ARTIFACT}`,
        `-DoutputDirectory=${work}`,
      ],
      { untilMs, folder: work },
    );
  try {
    await maven("copy");
    const file = Bun.file(join(work, `keycloak-quarkus-dist-${KEYCLOAK_VERSION}.zip`));
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of file.stream()) hash.update(chunk);
    if (hash.digest("hex") !== SHA256) throw new NotHere(`${ARTIFACT} is not the file that was expected`);
    // Offline, so that it is this very file.
    await maven("unpack", "-o");
    renameSync(join(work, `keycloak-${KEYCLOAK_VERSION}`), target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
