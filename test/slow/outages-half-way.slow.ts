import { expect, setDefaultTimeout, test } from "bun:test";
import { hasPgbouncer } from "../helpers/pgbouncer.ts";
import { canStartPostgres } from "../helpers/postgres.ts";
import { pooled } from "../running/app/outages/engines.ts";
import { opened, throughOutage } from "../running/app/outages/half-way.ts";
import { goldenOfRun, goldenOfServer } from "../running/app/outages/works/golden.ts";
import { indexOfServer, mergeOfCommand } from "../running/app/outages/works/index.ts";
import { auditOfServer, retentionOfServer } from "../running/app/outages/works/kept.ts";
import { noticesOfServer } from "../running/app/outages/works/notices.ts";
import { vectorsOfCommand, vectorsOfServer } from "../running/app/outages/works/vectors.ts";

// What ordinary tests do behind SQLite and PostgreSQL, one kind of work in each: here all kinds go through one outage.

setDefaultTimeout(300_000);

const isHere = canStartPostgres && hasPgbouncer;
if (!isHere)
  process.stderr.write("\n  PgBouncer is not here: what docs/scaling.md says of its absence is NOT TESTED\n");

test.if(isHere)("background work of every kind ends whole that PgBouncer leaves in its middle", async () => {
  await using it = await opened(pooled);
  const works = [
    indexOfServer("missing"),
    mergeOfCommand,
    vectorsOfServer("stored"),
    vectorsOfCommand,
    retentionOfServer,
    auditOfServer,
    goldenOfServer,
    goldenOfRun,
    // Behind the others: it puts the clock ahead.
    noticesOfServer("mail"),
  ];
  await throughOutage(it, works);
  expect(it.command.lines.filter(({ level }) => level === "error")).toEqual([]);
});

// By itself: two that put the clock ahead wait for each other.
test.if(isHere)("notices to a chat are sent once each where PgBouncer leaves in their middle", async () => {
  await using it = await opened(pooled);
  await throughOutage(it, [noticesOfServer("chat")]);
});
