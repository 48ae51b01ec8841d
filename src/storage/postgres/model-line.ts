import type { ModelLine, ModelTicket, SharedTicket } from "@docent/answering/answer/model-line";
import { z } from "zod";
import type { Database, Queries } from "./database/database.ts";
import { isNotMissed } from "./servers.ts";

/**
 * One server at a time; one that stops in the middle holds the others up for two seconds. They do not wait for the disk
 * either: what PostgreSQL loses when it goes down itself, the servers tell it again.
 */
const ALONE = `
  SELECT set_config('idle_in_transaction_session_timeout', '2000', true), set_config('synchronous_commit', 'off', true),
    pg_advisory_xact_lock(1685021544, 0)`;
/**
 * Where a ticket is served, its own server knows best: the others may have missed that server, and removed what they had. It
 * comes before it is served then, too. A server that is gone has no tickets: others wait for its places.
 */
const SYNC = `
  WITH told AS (
    SELECT one.*, nextval('model_line') AS joined_at
    FROM (SELECT *
      FROM unnest($numbers::bigint[], $siteIds::int[], $readers::text[], $agains::int[], $choices::text[], $addresses::text[])
        AS all_told (number, site_id, reader, again, choices, address)
      ORDER BY number) AS one
  ), own AS (
    INSERT INTO model_tickets
      (joined_at, server_id, number, site_id, reader, again, choices, address, served_at)
    SELECT joined_at, $serverId, number, site_id, reader, again::boolean, choices, address,
      CASE WHEN address IS NOT NULL THEN nextval('model_line') END
    FROM told ORDER BY joined_at
    ON CONFLICT (server_id, number) DO UPDATE SET choices = excluded.choices,
      address = coalesce(excluded.address, model_tickets.address),
      served_at = coalesce(model_tickets.served_at, excluded.served_at)
    WHERE model_tickets.choices <> excluded.choices
      OR (excluded.address IS NOT NULL AND excluded.address IS DISTINCT FROM model_tickets.address)
  ), ended AS (
    UPDATE model_tickets SET ended_at = nextval('model_line')
    WHERE server_id = $serverId AND ended_at IS NULL AND NOT number = ANY ($numbers::bigint[])
  )
  DELETE FROM model_tickets
  WHERE server_id <> $serverId AND NOT ${isNotMissed("server_id")}`;
const TICKETS = `
  SELECT joined_at, number, site_id, reader, again, choices, address, served_at, ended_at, server_id = $serverId AS is_own,
    (SELECT EXISTS (
      SELECT 1 FROM (SELECT DISTINCT server_id FROM model_tickets WHERE server_id <> $serverId) AS other
      WHERE NOT ${isNotMissed("other.server_id")})) AS is_any_gone
  FROM model_tickets ORDER BY joined_at`;
const SERVE = `
  UPDATE model_tickets SET address = served.address, served_at = served.at
  FROM (
    SELECT joined_at, address, nextval('model_line') AS at
    FROM (SELECT * FROM unnest($joined::bigint[], $addresses::text[]) WITH ORDINALITY AS one (joined_at, address, place)
      ORDER BY place) AS assigned
  ) AS served
  WHERE model_tickets.joined_at = served.joined_at
  RETURNING model_tickets.joined_at, model_tickets.address, model_tickets.served_at`;
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
  /** Whether a server is gone that has tickets here. */
  isAnyGone: number;
}

type Served = Required<Pick<SharedTicket, "joinedAt" | "address" | "servedAt">>;

const choicesOf = z.array(z.object({ address: z.string(), rank: z.number(), slots: z.number() }));

/**
 * The line of all servers on this database, as one of them uses it. Who waits looks often, and mostly there is nothing to do:
 * then a look is one statement that locks nothing and writes nothing.
 */
export function createModelLine(database: Database, serverId: string): ModelLine {
  /** Which tickets were told last: where they are others now, there is no need to look whether they are. */
  let last = "";
  return {
    async update(own, assign) {
      const now = own.map(({ number }) => number).join();
      if (now === last) {
        const rows = await database.all<Row>(TICKETS, { serverId });
        const tickets = ticketsOf(rows);
        if (isAsTold(rows, own) && assign(tickets).length === 0) return tickets;
      }
      last = now;
      return database.inOneWrite((write) => updateAlone(write, { serverId, own, assign }));
    },
  };
}

interface Update {
  serverId: string;
  own: readonly ModelTicket[];
  assign: Parameters<ModelLine["update"]>[1];
}

/** The others wait meanwhile: what needs no answer is sent together. */
async function updateAlone(write: Queries, { serverId, own, assign }: Update): Promise<SharedTicket[]> {
  const [, , , rows] = await Promise.all([
    write.all(ALONE),
    write.run(SYNC, { serverId, ...columnsOf(own) }),
    write.run(FORGET),
    write.all<Row>(TICKETS, { serverId }),
  ]);
  const tickets = ticketsOf(rows);
  const assigned = assign(tickets);
  if (assigned.length === 0) return tickets;
  const served = await write.all<Served>(SERVE, {
    joined: assigned.map(({ joinedAt }) => joinedAt),
    addresses: assigned.map(({ address }) => address),
  });
  const servedBy = new Map(served.map((one) => [one.joinedAt, one]));
  return tickets.map((ticket) => ({ ...ticket, ...servedBy.get(ticket.joinedAt) }));
}

/** Whether this server's tickets are there as they are, and no others that have not ended; and no server is gone. */
function isAsTold(rows: readonly Row[], own: readonly ModelTicket[]): boolean {
  if (rows.some(({ isAnyGone }) => isAnyGone === 1)) return false;
  const known = new Map(
    rows.filter(({ isOwn, endedAt }) => isOwn === 1 && endedAt === null).map((row) => [row.number, row]),
  );
  return (
    known.size === own.length &&
    own.every(({ number, choices, address }) => {
      const row = known.get(number);
      return row?.choices === JSON.stringify(choices) && (address === undefined || address === row.address);
    })
  );
}

const columnsOf = (own: readonly ModelTicket[]) => ({
  numbers: own.map(({ number }) => number),
  siteIds: own.map(({ asker }) => asker.siteId),
  readers: own.map(({ asker }) => asker.reader),
  agains: own.map(({ again }) => Number(again)),
  choices: own.map(({ choices }) => JSON.stringify(choices)),
  addresses: own.map(({ address }) => address ?? null),
});

function ticketsOf(rows: readonly Row[]): SharedTicket[] {
  // Most tickets can go to the same servers of models.
  const read = new Map<string, SharedTicket["choices"]>();
  const choicesIn = (text: string) => {
    const choices = read.get(text) ?? choicesOf.parse(JSON.parse(text));
    read.set(text, choices);
    return choices;
  };
  return rows.map(({ siteId, reader, isAnyGone: _, ...row }) => ({
    ...row,
    asker: { siteId, reader },
    again: row.again === 1,
    choices: choicesIn(row.choices),
    address: row.address ?? undefined,
    servedAt: row.servedAt ?? undefined,
    endedAt: row.endedAt ?? undefined,
    isOwn: row.isOwn === 1,
  }));
}
