import { question } from "../../helpers/docent.ts";

/** What readers saw. */
export interface Seen {
  /** Ids of the answers that came whole. */
  answered: string[];
  /** Ids of the turns that were said to be stored: those whose answer did not come whole, too. */
  begun: string[];
  /** How many replies told of a generation. */
  reads: number;
  /** Replies in which there were pages of more than one generation. */
  mixed: string[];
  /** Replies that told of an older generation than the same reader had seen before. */
  wentBack: string[];
  /** Replies that were neither an answer nor a refusal by which a reader knows what to do. */
  strange: string[];
  /** Refusals, by what was refused. */
  refused: Map<string, number>;
}

export const nothingSeen = (): Seen => ({
  answered: [],
  begun: [],
  reads: 0,
  mixed: [],
  wentBack: [],
  strange: [],
  refused: new Map(),
});

export interface ReadersOptions {
  count: number;
  /** How long a reader thinks on average before the next question. */
  pauseMs: number;
  key: string;
  front(turn: number): string;
  stop: AbortSignal;
}

/** How long a reader waits for a reply. */
const PATIENCE_MS = 30_000;
/** Every so many times a reader asks; otherwise it searches. */
const ASKS_EVERY = 6;

/** Readers who search and ask until they are told to stop. Who gets no answer asks again. */
export async function readAll(seen: Seen, options: ReadersOptions): Promise<void> {
  await Promise.all(Array.from({ length: options.count }, (_, index) => read(seen, index, options)));
}

async function read(
  seen: Seen,
  reader: number,
  { pauseMs, key, front, stop }: ReadersOptions,
): Promise<void> {
  const own = { seen, newest: 0, key };
  for (let turn = 0; !stop.aborted; turn++) {
    // From a half to one and a half of it, another one for each.
    await Bun.sleep(pauseMs * (0.5 + ((reader * 7 + turn * 3) % 11) / 10));
    const url = front(reader + turn);
    try {
      await ((reader + turn) % ASKS_EVERY === 0 ? ask(url, own, `q${reader}-${turn}`) : search(url, own));
    } catch (error) {
      // A connection that ends is seen by whoever asks a server directly when it is killed.
      count(seen.refused, String(error));
    }
  }
}

interface Reader {
  seen: Seen;
  newest: number;
  key: string;
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

interface Sending {
  signal?: AbortSignal;
  /** Of a reader behind the one who sends. */
  address?: string;
}

export const post = (url: string, key: string, body: unknown, { signal, address }: Sending = {}) =>
  fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(address === undefined ? {} : { "x-forwarded-for": address }),
    },
    body: JSON.stringify(body),
    signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
  });

async function ask(url: string, reader: Reader, id: string): Promise<void> {
  const { seen } = reader;
  const reply = await post(
    `${url}/v1/assistant/acme/message`,
    reader.key,
    question(`What does the zirconium pump release do? ${id}`),
  );
  const messageId = reply.headers.get("x-message-id");
  if (reply.status === 200 && messageId !== null) seen.begun.push(messageId);
  const text = await reply.text();
  if (reply.status !== 200 || messageId === null) return refused(seen, reply, text);
  if (!/^d:/m.test(text)) return count(seen.refused, "an answer that broke off") && undefined;
  seen.answered.push(messageId);
  note(reader, text);
}

async function search(url: string, reader: Reader): Promise<void> {
  const reply = await post(`${url}/v1/search/acme`, reader.key, {
    query: "zirconium pump release",
    pageSize: 10,
  });
  const text = await reply.text();
  if (reply.status === 200) note(reader, text);
  else refused(reader.seen, reply, text);
}

/** What nginx says where it can't reach a server. */
const OF_PROXY = new Set([502, 504]);

function refused(seen: Seen, reply: Response, text: string): void {
  const isUsual =
    OF_PROXY.has(reply.status) ||
    (reply.status === 503 && reply.headers.has("retry-after") && text.includes('"code":"unavailable"'));
  if (!isUsual) seen.strange.push(`${reply.status} ${text}`);
  count(seen.refused, String(reply.status));
}

/** The generation that a reply tells of, by what its pages say. */
export const generationsIn = (text: string): number[] => [
  ...new Set([...text.matchAll(/Release (\d+) of/g)].map(([, number]) => Number(number))),
];

function note(reader: Reader, text: string): void {
  const { seen } = reader;
  const [generation, another] = generationsIn(text);
  if (generation === undefined) return;
  seen.reads += 1;
  if (another !== undefined) seen.mixed.push(text);
  if (generation < reader.newest) seen.wentBack.push(`${generation} after ${reader.newest}`);
  reader.newest = Math.max(reader.newest, generation);
}
