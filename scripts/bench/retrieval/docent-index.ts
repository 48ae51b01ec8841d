import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readMemory, readPeakMb } from "../process-stats.ts";
import { type Program, type Server, using } from "../processes.ts";
import { readDatabaseBytes } from "./database-bytes.ts";
import { DOMAIN } from "./docent.ts";
import type { RetrievalSpec } from "./spec.ts";

/** What it took to read a folder of pages. */
export interface Indexed {
  seconds: number;
  againSeconds: number;
  passages: number;
  bytes: number;
  /** Bytes of the database by what they hold. */
  tables: Record<string, number>;
  /** Of the server, at rest. */
  beforeMb: number;
  afterMb: number;
  /** The most of the process that read the pages. */
  readerPeakMb: number;
}

const SETTLE_MS = 4000;
const POLL_MS = 100;

const runShape = z.object({
  state: z.string(),
  startedAt: z.coerce.date().nullish(),
  finishedAt: z.coerce.date().nullish(),
  outcome: z.string().nullish(),
});

/**
 * Has a server read the pages into an empty data directory, as an owner asks for it, and then again, unchanged. The server
 * starts a process for each run.
 */
export async function readDocentPages(
  program: Program,
  { data, pages }: Pick<RetrievalSpec, "data" | "pages">,
  { secondsMax, settleMs = SETTLE_MS }: { secondsMax: number; settleMs?: number },
): Promise<Indexed> {
  await program.run("sites", "add", DOMAIN, "--data", data);
  await program.run("sources", "add", DOMAIN, pages, "--later", "--data", data);
  const key = await program.run("admin-keys", "create", "bench", "--write", "--data", data);
  const read = await using(program.serve(data), async (server) => {
    const atRest = async () => {
      await Bun.sleep(settleMs);
      return readMemory(server.pid).residentMb;
    };
    const beforeMb = await atRest();
    const { seconds, readerPeakMb } = await runSource(server, key, secondsMax);
    const afterMb = await atRest();
    const { seconds: againSeconds } = await runSource(server, key, secondsMax);
    return { seconds, readerPeakMb, againSeconds, beforeMb, afterMb };
  });
  const file = join(data, "docent.db");
  const [site] = z
    .array(z.object({ passages: z.number() }))
    .parse(JSON.parse(await program.run("sites", "list", "--json", "--data", data)));
  return {
    ...read,
    passages: site?.passages ?? 0,
    bytes: statSync(file).size,
    tables: readDatabaseBytes(file),
  };
}

async function runSource({ url, pid }: Server, key: string, secondsMax: number) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const asked = await fetch(`${url}/v1/admin/sites/${DOMAIN}/sources/1/runs`, {
    method: "POST",
    headers,
    body: "{}",
    proxy: false,
  });
  const address = asked.headers.get("location");
  if (address === null) throw new Error(`no run was begun: ${await asked.text()}`);
  const until = performance.now() + secondsMax * 1000;
  let readerPeakMb = 0;
  while (performance.now() < until) {
    for (const child of childrenOf(pid)) readerPeakMb = Math.max(readerPeakMb, peakOf(child));
    const reply = await fetch(new URL(address, url), { headers, proxy: false });
    const { state, outcome, startedAt, finishedAt } = runShape.parse(await reply.json());
    if (state === "ended") {
      if (outcome !== "published" && outcome !== "unchanged") throw new Error(`the run ended: ${outcome}`);
      return { seconds: (Number(finishedAt) - Number(startedAt)) / 1000, readerPeakMb };
    }
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`the pages were not read in ${secondsMax} s`);
}

/** The processes that each thread of a process has started. */
function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).flatMap((thread) => {
    try {
      return readFileSync(join(threads, thread, "children"), "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  });
}

/** 0 for a process that has just ended. */
function peakOf(pid: number): number {
  try {
    return readPeakMb(pid) || 0;
  } catch {
    return 0;
  }
}
