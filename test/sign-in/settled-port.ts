import { createServer } from "node:net";

const FIRST = 20_000;
const COUNT = 10_000;
const TRIES_MAX = 50;

/**
 * A port that is free, and stays so until it is used: it is none of those that systems give to whoever asks for any port,
 * as others do meanwhile.
 */
export async function settledPort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
