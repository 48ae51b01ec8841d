import type { OnceStore } from "@docent/people/identity/stores";
import { run, type Sql } from "../sql/sql.ts";
import { insertInto, statement } from "../sql/statement.ts";
import { usedOnce } from "../tables/people.ts";

const FORGET = statement("DELETE FROM used_once WHERE until <= $now");
const USE = statement(`${insertInto(usedOnce)} ON CONFLICT DO NOTHING`);

export function createOnceStore(sql: Sql): OnceStore {
  return {
    use: (hash, now, until) =>
      sql.inOneWrite(function* () {
        yield* run(FORGET, { now });
        return (yield* run(USE, { hash, until })) === 1;
      }),
  };
}
