import { openPostgres } from "../../src/storage/postgres/postgres.ts";
import { openPlainIndex } from "../../src/storage/sqlite/sqlite.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { newDatabase } from "./postgres.ts";
import { quietLog } from "./test-log.ts";

type Stores = Storage["content"] & Storage["people"] & Storage["conversations"] & Storage["reports"];

export type PostgresStorage = Stores &
  Omit<Storage, "content" | "people" | "conversations" | "reports"> &
  Disposable & { url: string };

/** All the stores of a PostgreSQL database side by side, as suites ask for them: of a new one where none is named. */
export async function openTestPostgres({
  url = undefined as string | undefined,
  isServer = false,
} = {}): Promise<PostgresStorage> {
  const own = url ?? (await newDatabase());
  const newId = () => crypto.randomUUID();
  const options = {
    url: own,
    environment: {},
    connectionsMax: 4,
    newId,
    isServer,
    now: TEST_TIME,
    log: quietLog(),
    openPlainIndex,
  };
  const { content, people, conversations, reports, ...storage } = await openPostgres(options);
  return {
    ...storage,
    ...content,
    ...people,
    ...conversations,
    ...reports,
    url: own,
    [Symbol.dispose]: () => void storage.close(),
  };
}
