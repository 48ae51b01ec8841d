import { lookup } from "node:dns/promises";
import { connect } from "node:net";

/** What keeps a program from a PostgreSQL: `says` ends a sentence that begins with what could not be done. */
interface Obstacle {
  says: string;
  hint: string;
}

const PORT = 5432;
const ANSWER_MS = 2000;
/** How a client asks whether the connection may be encrypted. Every PostgreSQL answers S or N. */
const ENCRYPTED = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Looks at why no connection comes about, for drivers tell all the reasons in the same words. Undefined where a PostgreSQL
 * answers after all.
 */
export async function obstacleTo(address: string): Promise<Obstacle | undefined> {
  const { hostname, port, searchParams } = new URL(address);
  const socket = searchParams.get("path");
  if (socket !== null) return said(await ask({ path: socket }), `the socket ${socket}`);
  const host = hostname.replace(/^\[|\]$/g, "") || "localhost";
  try {
    await lookup(host);
  } catch {
    return {
      says: `no address is known of the host ${host}`,
      hint: "Check the host in database_url, and the name server of this machine.",
    };
  }
  const number = Number(port || PORT);
  return said(await ask({ host, port: number }), `${hostname || host}:${number}`);
}

type Answer = "refused" | "nothing" | "silent" | "other" | "PostgreSQL";

function said(answer: Answer, where: string): Obstacle | undefined {
  switch (answer) {
    case "refused":
      return {
        says: `nothing listens on ${where}`,
        hint: "Check that PostgreSQL runs there, which listen_addresses and port it has, and database_url.",
      };
    case "nothing":
      return {
        says: `there is no answer from ${where}`,
        hint: "Check the host and port in database_url, and the firewalls on the way.",
      };
    case "silent":
    case "other":
      return {
        says: `something takes connections on ${where}, but does not answer as PostgreSQL does`,
        hint: "Check the host and port in database_url: another program may be there, or a PostgreSQL that hangs.",
      };
    case "PostgreSQL":
      return undefined;
  }
}

function ask(place: { host: string; port: number } | { path: string }): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let isThere = false;
  const socket = connect(place);
  const timer = setTimeout(() => resolve(isThere ? "silent" : "nothing"), ANSWER_MS);
  socket.on("connect", () => {
    isThere = true;
    socket.write(ENCRYPTED);
  });
  socket.on("data", (bytes: Uint8Array) =>
    resolve(bytes.length === 1 && (bytes[0] === 83 || bytes[0] === 78) ? "PostgreSQL" : "other"),
  );
  socket.on("close", () => resolve(isThere ? "other" : "refused"));
  socket.on("error", (error: NodeJS.ErrnoException) => {
    if (!isThere) resolve(error.code === "ECONNREFUSED" || error.code === "ENOENT" ? "refused" : "nothing");
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
