import { Database } from "bun:sqlite";
import { appliedMigrations, applyMigrations, MIGRATIONS } from "./migrate.ts";

/** SQLite's own statistics, which are there or not. */
const OWN_TO_SQLITE = /^sqlite_(?:stat\d|sequence)$/;
const NAMED_MAX = 3;

/**
 * What a database has that its migrations do not make, and what it lacks of that: tables with their columns, indexes,
 * triggers and views. Undefined where it is just what they make.
 */
export function schemaFault(database: Database): string | undefined {
  const applied = appliedMigrations(database);
  const migrations = MIGRATIONS.slice(0, applied.length);
  const gap = migrations.find(({ name }, index) => applied[index] !== name);
  if (gap !== undefined) return `it was never brought to ${gap.name}`;
  const made = new Database(":memory:");
  try {
    applyMigrations(made, migrations, 0);
    return difference(partsOf(database), partsOf(made));
  } finally {
    made.close();
  }
}

function difference(found: Map<string, string>, expected: Map<string, string>): string | undefined {
  const missing = [...expected.keys()].filter((part) => !found.has(part));
  if (missing.length > 0) return `it lacks ${some(missing)}`;
  const foreign = [...found.keys()].filter((part) => !expected.has(part));
  if (foreign.length > 0) return `it has what Docent did not make: ${some(foreign)}`;
  const changed = [...found].filter(([part, sql]) => expected.get(part) !== sql).map(([part]) => part);
  return changed.length > 0 ? `it has another shape of ${some(changed)}` : undefined;
}

/** Each part by its kind and name, with the statement that makes it. */
function partsOf(database: Database): Map<string, string> {
  return new Map(
    database
      .query<{ type: string; name: string; sql: string | null }, []>(
        "SELECT type, name, sql FROM sqlite_master",
      )
      .all()
      .filter(({ name }) => !OWN_TO_SQLITE.test(name))
      .map(({ type, name, sql }) => [`${type} ${name}`, plain(sql ?? "")]),
  );
}

/** The same for statements that versions of SQLite write down in slightly other ways. */
const plain = (sql: string) =>
  sql
    .replace(/--.*$/gm, "")
    .replace(/["'`]/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([(),]) ?/g, "$1")
    .trim()
    .toLowerCase();

function some(parts: string[]): string {
  const more = parts.length - NAMED_MAX;
  return `${parts.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
