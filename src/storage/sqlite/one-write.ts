import type { Database } from "bun:sqlite";

/** Does all of `work` or nothing, as the one writer from its beginning: what it reads first stays true. */
export const inOneWrite = <R>(database: Database, work: () => R): R => database.transaction(work).immediate();
