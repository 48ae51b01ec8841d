import { join } from "node:path";
import type { Config } from "@docent/kernel/config/settings";
import { AppError } from "@docent/kernel/errors";
import { makeFolder } from "@docent/kernel/lib/durable-files";
import { createIds } from "@docent/kernel/lib/ids";
import { createOllamaPush, parseOllamaServers } from "@docent/models/ollama/ollama";
import { removeChecksum, restore } from "@docent/storage/open-storage";
import {
  type Bundle,
  type BundleParts,
  type Earlier,
  installBundle,
  installedIn,
  type Kept,
  type MadeBundle,
  type ModelPlace,
  makeBundle,
  modelsFolder,
  type Recovered,
  recover,
} from "../bundle/bundle.ts";
import { bundleFolder, checkDirectory, lockRuns, takeServerLock } from "./data-directory.ts";
import { modelsOfOllama } from "./ollama-models.ts";
import type { Parts } from "./parts.ts";
import { openSeal } from "./seal.ts";
import type { Surroundings } from "./surroundings.ts";

/** What SQLite keeps a database in. */
const DATABASE_FILES = ["docent.db", "docent.db-wal", "docent.db-shm", "docent.db-journal"];

type Making = Omit<BundleParts, "database" | "at"> & {
  /** Whether the database goes in. */
  withDatabase: boolean;
  temporaryFolder: string;
  signal: AbortSignal;
};

/** Makes a bundle of what is here. The database goes in as a sound copy, while a server may use it. */
export async function makeBundleHere(
  { config, clock }: Surroundings,
  openParts: () => Promise<Parts>,
  target: string,
  { withDatabase, temporaryFolder, signal, ...making }: Making,
): Promise<MadeBundle> {
  if (withDatabase && config.database_url !== "")
    throw new AppError("invalid_request", "A bundle holds no PostgreSQL database.", {
      hint: "Copy everything to a directory with docent move --to, and make the bundle of that; or make one --without-database, and carry the database with pg_dump.",
    });
  const copy = withDatabase ? join(temporaryFolder, "database.db") : undefined;
  if (copy !== undefined) {
    await (await openParts()).storage.backUp(copy);
    // Each piece has a digest in the bundle, and what is the same as last month has to be the same to the end.
    removeChecksum(copy);
  }
  return makeBundle(target, { ...making, database: copy, at: clock() }, signal);
}

interface Installing {
  /** Where the program goes; undefined where it stays as it is. */
  binary: string | undefined;
  keepsDatabase: boolean;
  /** Ollama's folder; undefined where it is asked through its API. */
  modelsFolder: string | undefined;
  /** The fingerprint of the key that has signed it; undefined where any bundle is taken. */
  signedBy: string | undefined;
  /** Whether a bundle is taken that was made before the one that was installed here last. */
  takesOlder: boolean;
  signal: AbortSignal;
  onStep(says: string): void;
}

/** What was installed here last; undefined where no bundle was. */
export const installedHere = ({ config }: Pick<Surroundings, "config">): Promise<Earlier | undefined> =>
  installedIn(bundleFolder(config));

/** Installs a bundle that was checked, whole or not at all, while no server runs. Says what an earlier attempt came to. */
export function installBundleHere(
  surroundings: Surroundings,
  bundle: Bundle,
  installing: Installing,
): Promise<Kept & { recovered: Recovered }> {
  const { config, clock } = surroundings;
  const { keepsDatabase, binary, signedBy, takesOlder, signal, onStep } = installing;
  const hasDatabase = bundle.manifest.database !== null && !keepsDatabase;
  if (hasDatabase && config.database_url !== "")
    throw new AppError("invalid_request", "The bundle's database cannot be put into PostgreSQL.", {
      hint: "Install the rest with --keep-database, or install into a directory and use docent move --to.",
    });
  return alone(config, async (checkLock) => {
    const models = modelPlace(surroundings, installing);
    const folder = bundleFolder(config);
    const recovered = await recover({ folder, models });
    const kept = await installBundle(bundle, {
      folder,
      binary,
      database: hasDatabase
        ? {
            files: DATABASE_FILES.map((name) => join(config.data, name)),
            restore: (file) =>
              restore(config.data, file, clock(), { name: "The bundle's database", checkLock }),
          }
        : undefined,
      models,
      signedBy,
      takesOlder,
      signal,
      onStep,
    });
    return { ...kept, recovered };
  });
}

/** Ends what an installation left that was broken off. */
export function recoverHere(
  surroundings: Surroundings,
  installing: Pick<Installing, "modelsFolder" | "signal">,
): Promise<Recovered> {
  const folder = bundleFolder(surroundings.config);
  return alone(surroundings.config, () => recover({ folder, models: modelPlace(surroundings, installing) }));
}

/** Does something while no server and no run uses the data directory. */
async function alone<T>(config: Config, work: (checkLock: () => void) => Promise<T>): Promise<T> {
  makeFolder(config.data);
  const lock = takeServerLock(config);
  try {
    const endRuns = lockRuns(config.data);
    try {
      return await work(() => {
        if (config.database_url === "") checkDirectory(lock, config.data);
      });
    } finally {
      endRuns();
    }
  } finally {
    lock.release();
  }
}

function modelPlace(
  surroundings: Surroundings,
  { modelsFolder: folder, signal }: Pick<Installing, "modelsFolder" | "signal">,
): ModelPlace {
  if (folder !== undefined) return modelsFolder(folder);
  const { config, clock, randomBytes } = surroundings;
  const [baseUrl] = parseOllamaServers(config.ollama_urls, config.ollama_host);
  const ids = createIds(clock, randomBytes);
  // What is put back is put back although the person has said to stop.
  const push = (each: AbortSignal) =>
    createOllamaPush({ baseUrl, seal: openSeal(surroundings), signal: each });
  const place = modelsOfOllama(push(signal), () => ids.ulid().toLowerCase());
  const calm = modelsOfOllama(push(new AbortController().signal), () => ids.ulid().toLowerCase());
  return { ...place, takeBack: calm.takeBack, settle: calm.settle };
}
