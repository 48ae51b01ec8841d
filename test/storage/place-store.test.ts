import { describePlaceStore } from "../contract/place-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

// SQLite has one server alone, whose memory knows all places.

if (hasPostgres)
  describePlaceStore("PostgreSQL", async () => {
    const first = await openTestPostgres({ isServer: true });
    const second = await openTestPostgres({ url: first.url, isServer: true });
    const [here, there] = [first.places, second.places];
    if (here === undefined || there === undefined) throw new Error("servers have places");
    return {
      here,
      there,
      end: () => second.close(),
      [Symbol.dispose]() {
        second[Symbol.dispose]();
        first[Symbol.dispose]();
      },
    };
  });
