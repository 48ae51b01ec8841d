import { type Connection, connect, encodeRequest } from "../connection.ts";
import { type Asking, DOCENT_TEXT, openAsking } from "../first-text.ts";
import { readCpuSeconds } from "../process-stats.ts";
import { loadSchedule, type Program, type Server, using } from "../processes.ts";
import { COUNTED, searchFor } from "../servers/searches.ts";
import { post, question } from "../site.ts";

// What a question costs a server: the time until the reply, and the processor time of all its threads.

const PER_SECOND = 30;
const LOAD_SECONDS = 10;
/** All questions are asked so often before a server counts as warm: what runs often is compiled by then. */
const WARM_UP_ROUNDS = 8;
const WARM_ROUNDS = 2;

/** What some questions took, one after the other. */
export interface Cost {
  /** Until the whole reply was there; of answers, until their first text. */
  ms: number[];
  /** Of one question, on average. */
  cpuMs: number;
}

/** The costs of one server from its start on. */
export interface AskedServer {
  /** Each question once, right after the start. */
  cold: Cost;
  /** When all have been asked again and again. */
  warm: Cost;
}

export interface LoadedServer extends AskedServer {
  /** So many a second, from when each was due. */
  underLoadMs: number[];
}

/** A site that is there already, with a key for it. */
export interface AskedSite {
  data: string;
  key: string;
  questions: readonly string[];
}

type Once = (text: string) => Promise<number>;

/** Searches over HTTP, of a server that has just started. */
export const measureSearches = (
  program: Program,
  { data, key, questions }: AskedSite,
): Promise<LoadedServer> =>
  using(program.serve(data, COUNTED), async (server) => {
    const connection = await connect(server.url);
    const once: Once = (text) => search(connection, server, key, text);
    const costs = await coldAndWarm(server, questions, once);
    connection.close();
    const asked = questions.map((text) => searchFor(server.url, key, text));
    const { latenciesMs } = await loadSchedule({ asked, perSecond: PER_SECOND, seconds: LOAD_SECONDS });
    return { ...costs, underLoadMs: latenciesMs };
  });

/** Quoted answers over HTTP, of a server that has just started, and that no model writes for. */
export const measureQuotes = (program: Program, { data, key, questions }: AskedSite): Promise<AskedServer> =>
  using(program.serve(data, COUNTED), async (server) => {
    const asking = await openAsking(server.url, DOCENT_TEXT);
    const costs = await coldAndWarm(server, questions, (text) => quote(asking, server, key, text));
    asking.close();
    return costs;
  });

async function coldAndWarm(server: Server, questions: readonly string[], once: Once): Promise<AskedServer> {
  const cold = await costOf(server, questions, once);
  await costOf(server, repeated(questions, WARM_UP_ROUNDS), once);
  return { cold, warm: await costOf(server, repeated(questions, WARM_ROUNDS), once) };
}

async function costOf({ pid }: Server, questions: readonly string[], once: Once): Promise<Cost> {
  const before = readCpuSeconds(pid);
  const ms: number[] = [];
  for (const text of questions) ms.push(await once(text));
  return { ms, cpuMs: ((readCpuSeconds(pid) - before) * 1000) / questions.length };
}

async function search(connection: Connection, { url }: Server, key: string, text: string): Promise<number> {
  let endAt = 0;
  const { status, startedAt } = await connection.send(encodeRequest(searchFor(url, key, text)), (_, at) => {
    endAt = at;
  });
  if (status !== 200) throw new Error(`a search was answered with ${status}`);
  return endAt - startedAt;
}

const quote = async (asking: Asking, { url }: Server, key: string, text: string): Promise<number> =>
  (await asking.once(post(url, key, question(text)))).textMs;

const repeated = (questions: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => questions).flat();
