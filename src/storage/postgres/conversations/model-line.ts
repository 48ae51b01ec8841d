import { z } from "zod";
import type { ModelLine, ModelTicket, SharedTicket } from "../../../answer/model-line.ts";
import type { Database, Queries } from "../database/database.ts";
import { isNotMissed } from "../servers.ts";

/** One server at a time; one that stops in the middle holds the others up for two seconds. */
const ALONE = `
  SELECT set_config('idle_in_transaction_session_timeout', '2000', true), pg_advisory_xact_lock(1685021544, 0)`;
/** A server that is gone has no tickets: others wait for its places. */
const SYNC = `
  WITH own AS (
    INSERT INTO model_tickets (server_id, number, site_id, reader, again, choices, address, served_at)
    SELECT $serverId, number, site_id, reader, again::boolean, choices, address,
      CASE WHEN address IS NOT NULL THEN nextval('model_line') END
    FROM unnest($numbers::bigint[], $siteIds::int[], $readers::text[], $agains::int[], $choices::text[], $addresses::text[])
      AS told (number, site_id, reader, again, choices, address)
    ORDER BY number
    ON CONFLICT (server_id, number) DO UPDATE SET choices = excluded.choices
    WHERE model_tickets.choices <> excluded.choices
  ), ended AS (
    UPDATE model_tickets SET ended_at = nextval('model_line')
    WHERE server_id = $serverId AND ended_at IS NULL AND NOT number = ANY ($numbers::bigint[])
  )
  DELETE FROM model_tickets
  WHERE server_id <> $serverId AND NOT ${isNotMissed("server_id")}`;
const TICKETS = `
  SELECT joined_at, number, site_id, reader, again, choices, address, served_at, ended_at, server_id = $serverId AS is_own
  FROM model_tickets ORDER BY joined_at`;
const SERVE = `
  UPDATE model_tickets SET address = served.address, served_at = served.at
  FROM (
    SELECT joined_at, address, nextval('model_line') AS at
    FROM (SELECT * FROM unnest($joined::bigint[], $addresses::text[]) WITH ORDINALITY AS one (joined_at, address, place)
      ORDER BY place) AS assigned
  ) AS served
  WHERE model_tickets.joined_at = served.joined_at`;
/** What had ended before all who are here came tells nothing of their turns. */
const FORGET = `
  DELETE FROM model_tickets WHERE ended_at < coalesce(
    (SELECT min(joined_at) FROM model_tickets WHERE ended_at IS NULL), 9223372036854775807)`;

interface Row
  extends Omit<SharedTicket, "asker" | "again" | "choices" | "address" | "servedAt" | "endedAt" | "isOwn"> {
  siteId: number;
  reader: string;
  again: number;
  choices: string;
  address: string | null;
  servedAt: number | null;
  endedAt: number | null;
  isOwn: number;
}

const choicesOf = z.array(z.object({ address: z.string(), rank: z.number(), slots: z.number() }));

/** The line of all servers on this database, as one of them uses it. */
export function createModelLine(database: Database, serverId: string): ModelLine {
  return {
    update: (own, assign) =>
      database.inOneWrite(async (write) => {
        await write.all(ALONE);
        await write.run(SYNC, { serverId, ...columnsOf(own) });
        await write.run(FORGET);
        const assigned = assign(await ticketsOf(write, serverId));
        if (assigned.length === 0) return ticketsOf(write, serverId);
        await write.run(SERVE, {
          joined: assigned.map(({ joinedAt }) => joinedAt),
          addresses: assigned.map(({ address }) => address),
        });
        return ticketsOf(write, serverId);
      }),
  };
}

const columnsOf = (own: readonly ModelTicket[]) => ({
  numbers: own.map(({ number }) => number),
  siteIds: own.map(({ asker }) => asker.siteId),
  readers: own.map(({ asker }) => asker.reader),
  agains: own.map(({ again }) => Number(again)),
  choices: own.map(({ choices }) => JSON.stringify(choices)),
  addresses: own.map(({ address }) => address ?? null),
});

async function ticketsOf(queries: Queries, serverId: string): Promise<SharedTicket[]> {
  const rows = await queries.all<Row>(TICKETS, { serverId });
  return rows.map(({ siteId, reader, ...row }) => ({
    ...row,
    asker: { siteId, reader },
    again: row.again === 1,
    choices: choicesOf.parse(JSON.parse(row.choices)),
    address: row.address ?? undefined,
    servedAt: row.servedAt ?? undefined,
    endedAt: row.endedAt ?? undefined,
    isOwn: row.isOwn === 1,
  }));
}
