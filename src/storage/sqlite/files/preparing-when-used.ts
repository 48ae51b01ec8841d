import type { Database, Statement } from "bun:sqlite";

/**
 * A database that prepares a statement when it is used for the first time: the stores name two hundred, of which a
 * command runs a few, and a server most of them late.
 */
export function preparingWhenUsed(database: Database): Database {
  const query = database.query.bind(database);
  const prepare = database.prepare.bind(database);
  return Object.assign(database, {
    query: (sql: string) => later(() => query(sql)),
    prepare: (sql: string) => later(() => prepare(sql)),
  });
}

function later(make: () => Statement): Statement {
  let statement: Statement | undefined;
  return new Proxy<Statement>(Object.create(null), {
    get(_, name) {
      statement ??= make();
      const member: unknown = Reflect.get(statement, name, statement);
      return typeof member === "function" ? member.bind(statement) : member;
    },
  });
}
