import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workplace } from "../../helpers/program.ts";
import type { Engine } from "./engines.ts";
import { ran, until, writePages } from "./steps.ts";

/** The site that is measured, and of whose source somebody is told. */
const SITE = "told";
const PAGES = 12;
/** Enough that they are asked for some seconds. */
const QUESTIONS = 1000;
/** Of the processor: starting takes less. */
const WORKED_SECONDS = 2;

/** What goes on beside the runs: a notice is on its way, questions are asked to measure search, a copy is made. */
export async function openBeside(engine: Engine, place: Workplace) {
  /** Whoever is told takes it only when the storage is away. */
  const taken = Promise.withResolvers<void>();
  const arrived: string[] = [];
  const hook = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      arrived.push(request.headers.get("x-docent-notice") ?? "");
      await taken.promise;
      return new Response();
    },
  });
  place.setVariable("DOCENT_HAND_OVER_HOSTS", `127.0.0.1:${hook.port}`);
  place.setVariable("DOCENT_DELIVERY_SECONDS", "300");
  await ran(place, "sites", "add", SITE);
  writePages(place, SITE, PAGES);
  await ran(place, "ingest", SITE, SITE);
  await failTheSource(place);
  const address = `http://127.0.0.1:${hook.port}/`;
  await ran(place, "notices", "add", "ops", "webhook", address, "--server", "--kind", "source-failing");
  const notices = () => engine.rows<NoticeRow>(place.folder, "SELECT id, state, tries FROM notices");

  return {
    /** Begins to ask. Resolves once the server tells somebody, and questions are being asked. */
    async begin() {
      const measuring = measure(place);
      await until(async () => arrived.length > 0);
      await until(async () => measuring.workedSeconds() > WORKED_SECONDS);
      return measuring;
    },
    /** Lets the notice arrive, and begins a copy where the storage is one that Docent copies. */
    meanwhile() {
      taken.resolve();
      return engine.isCopied ? place.spawn("backup", "copy.db") : undefined;
    },
    /** The notices once all are sent, and the ids of those that arrived. */
    async told() {
      await until(async () => (await notices()).every(({ state }) => state === "sent"));
      return { notices: await notices(), arrived };
    },
    verify: () => place.run("backup", "verify", "copy.db"),
    close: () => hook.stop(true),
  };
}

export type Beside = Awaited<ReturnType<typeof openBeside>>;

interface NoticeRow {
  id: string;
  state: string;
  tries: number;
}

/** Takes the source away that was read: readers still see what was. */
async function failTheSource(place: Workplace): Promise<void> {
  rmSync(join(place.folder, SITE), { recursive: true });
  const { number } = JSON.parse((await place.run("sources", "list", SITE, "--json")).out)[0];
  const { code, err } = await place.run("sources", "run", SITE, String(number));
  if (code === 0) throw new Error(`a folder that is gone was read: ${err}`);
}

/** Asks the site's questions, each of which one page answers. */
function measure(place: Workplace) {
  const lines = Array.from({ length: QUESTIONS }, (_, n) =>
    JSON.stringify({
      question: `where does the zebra of page ${n % PAGES} sleep ${n}`,
      expected: [`page-${n % PAGES}`],
    }),
  );
  writeFileSync(join(place.folder, "questions.jsonl"), lines.join("\n"));
  const child = place.spawn("eval", "questions.jsonl", "--site", SITE, "--json");
  const out = new Response(child.stdout).text();
  const err = new Response(child.stderr).text();
  return {
    workedSeconds: () => (child.exitCode === null ? processorSeconds(child.pid) : Number.POSITIVE_INFINITY),
    /** How many questions were asked, and what is found of them by the first of the ways. */
    async end() {
      if ((await child.exited) !== 0) throw new Error(await err);
      const [report] = JSON.parse(await out).reports;
      return { questions: report.questions, recall5: report.systems[0].scores.recall5 };
    },
  };
}

export const MEASURED = { questions: QUESTIONS, recall5: 1 };

const TICKS_A_SECOND = 100;

/** What a process has had of the processor. */
function processorSeconds(pid: number): number {
  const [user, system] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}
