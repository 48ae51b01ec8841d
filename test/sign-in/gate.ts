import { connect, createServer, type Socket } from "node:net";

/** A way to a server of this machine that can be closed: from there it looks as if the server were stopped. */
export async function openGate(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the gate has no port");

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    port: address.port,
    close,
    open: () => listen(address.port),
    [Symbol.asyncDispose]: () => (server.listening ? close() : Promise.resolve()),
  };
}
