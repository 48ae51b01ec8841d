import { connect, createServer, type Server } from "node:net";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { Seal } from "./seal.ts";

/** What became of the attempts to reach what a sealed process must not reach. */
export interface SealProof {
  /** Whether Docent's own guard refused to dial. */
  guardRefused: boolean;
  /** Whether the kernel refused what was dialled without asking the guard. */
  kernelRefused: boolean;
  /** The connections that came through. */
  arrived: number;
}

const ATTEMPT_MS = 2000;

/**
 * Tries to reach a port of this machine that no setting names, which is opened for that: once as a source would, and once
 * past the guard, as code that does not know of it.
 */
export async function proveSeal(seal: Seal): Promise<SealProof> {
  let arrived = 0;
  const server = createServer((socket) => {
    arrived++;
    socket.destroy();
  });
  const port = await listening(server);
  try {
    const guardRefused = await refusedByGuard(seal, port);
    const kernelRefused = await refusedByKernel(port);
    return { guardRefused, kernelRefused, arrived };
  } finally {
    server.close();
  }
}

async function listening(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function refusedByGuard(seal: Seal, port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/`;
  const hosts = [`127.0.0.1:${port}`];
  const get = createGuardedFetch({ seal, hosts, privateHosts: ["127.0.0.1"], totalMs: ATTEMPT_MS });
  try {
    await get(url, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    return false;
  } catch (error) {
    return error instanceof Error && error.message === seal.refusal("other", url);
  }
}

function refusedByKernel(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.setTimeout(ATTEMPT_MS, () => resolve(false));
  socket.once("connect", () => resolve(false));
  socket.once("error", (error: NodeJS.ErrnoException) =>
    resolve(error.code === "EACCES" || error.code === "EPERM"),
  );
  return promise.finally(() => socket.destroy());
}
