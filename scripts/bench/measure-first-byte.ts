import { join } from "node:path";
import { type Asked, type Connection, connect, encodeRequest } from "./connection.ts";
import { type Figure, type Measure, median } from "./figures.ts";
import { type Program, startModel, using } from "./processes.ts";
import { ask, prepareSite, UNHINDERED } from "./site.ts";
import { readTokens } from "./token.ts";

const ROUNDS = 200;
const WARM_UP_ROUNDS = 30;
const TOKENS = 20;
const AIM_MS = 5;

/** Milliseconds after the request was sent. */
interface Times {
  byte: number[];
  token: number[];
}

export async function measureFirstByte(program: Program, directory: string): Promise<Measure> {
  const data = join(directory, "first-byte");
  const key = await prepareSite(program, data);
  const [docent, model] = await using(startModel(TOKENS, 0), (fake) =>
    using(program.serve(data, UNHINDERED, fake.url), (server) =>
      inTurns(ask(server.url, key), { url: `${fake.url}/api/chat`, method: "POST", headers: {}, body: "{}" }),
    ),
  );
  const own = median(model.token);
  const over = (name: string, values: number[]): Figure => ({
    name,
    unit: "ms",
    values: values.map((value) => value - own),
    aim: { below: AIM_MS },
  });
  return {
    title: "First byte",
    how: `One question after the other on one open connection, alternately to Docent and to the model itself, ${ROUNDS} times after ${WARM_UP_ROUNDS} to warm up; the model is a fake one that answers at once. What Docent adds is its time minus the median of the model's own time to its first token. The first bytes of a reply are its search results, which are sent before the model has written anything; the first \`0:\` part is the first text.`,
    figures: [
      over("First byte, over the model's own", docent.byte),
      over("First text, over the model's own", docent.token),
      { name: "First byte", unit: "ms", values: docent.byte },
      { name: "First text", unit: "ms", values: docent.token },
      { name: "The model's own first token", unit: "ms", values: model.token },
    ],
  };
}

async function inTurns(...asked: [Asked, Asked]): Promise<[Times, Times]> {
  const times: [Times, Times] = [newTimes(), newTimes()];
  const ends = await Promise.all(
    asked.map(async (each) => ({ connection: await connect(each.url), request: encodeRequest(each) })),
  );
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [index, { connection, request }] of ends.entries()) {
      const { byte, token } = await once(connection, request);
      if (round < 0) continue;
      times[index]?.byte.push(byte);
      times[index]?.token.push(token);
    }
  }
  for (const { connection } of ends) connection.close();
  return times;
}

const newTimes = (): Times => ({ byte: [], token: [] });

async function once(connection: Connection, request: string): Promise<{ byte: number; token: number }> {
  let tokenAt: number | undefined;
  const { status, startedAt, firstByteAt } = await connection.send(request, (text, at) => {
    if (tokenAt === undefined && readTokens(text).length > 0) tokenAt = at;
  });
  if (status !== 200 || tokenAt === undefined) throw new Error(`a question was answered with ${status}`);
  return { byte: firstByteAt - startedAt, token: tokenAt - startedAt };
}
