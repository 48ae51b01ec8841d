import { createServer, type Server, type Socket } from "node:net";

async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Below those that systems give to whoever connects, or asks for any: they would be taken before the test listens. */
const PORTS = { from: 20_000, count: 12_000 };
const TRIES_MAX = 100;

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const server = createServer();
    try {
      const port = await listening(server, PORTS.from + Math.floor(Math.random() * PORTS.count));
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}

/** Something that is no PostgreSQL: what it does with each connection is given. */
export async function startStranger(meet: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    meet(socket);
  });
  const port = await listening(server);
  return {
    port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
