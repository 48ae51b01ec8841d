import { sqlite } from "./sqlite/sqlite.ts";
import type { StorageEngine } from "./storage.ts";

/** What keeps everything. Where there are several engines, the configuration chooses here. */
const engine: StorageEngine = sqlite;

export const { open: openStorage, lockServer, lockIngests, restore } = engine;
