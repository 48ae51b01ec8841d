import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { SQL } from "bun";
import { question } from "./docent.ts";
import type { OwnServer } from "./postgres.ts";
import { createWorkplace, type Workplace } from "./program.ts";

const socketOf = ({ directory }: OwnServer) => join(directory, ".s.PGSQL.5432");

/** An address over the network that leads to one PostgreSQL, and later to another, as one that follows the primary does. */
export async function openAddress(first: OwnServer) {
  let target = first;
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(socketOf(target));
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const each of [near, far])
      each.on("error", () => {
        near.destroy();
        far.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the address has no port");
  return {
    urlOf: (name: string) => `postgres://postgres@127.0.0.1:${address.port}/${name}`,
    lead(to: OwnServer) {
      target = to;
    },
    close() {
      server.close();
      for (const each of sockets) each.destroy();
    },
  };
}

/** Runs statements in a database of a server. */
export async function within(url: string, ...statements: string[]): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    for (const statement of statements) await sql.unsafe(statement).simple();
  } finally {
    await sql.close();
  }
}

/** Pages of a folder in a workplace, which say a word. */
export function writePages(place: Workplace, count: number, word: string): void {
  mkdirSync(join(place.folder, "docs"), { recursive: true });
  const body = `Some ${word} is said here, and more of it. `.repeat(60);
  for (let index = 0; index < count; index++)
    writeFileSync(
      join(place.folder, `docs/page-${index}.md`),
      `# Page ${index}\n\n${word} ${index}. ${body}\n`,
    );
}

/** A workplace whose commands work on a database, with a site, a page and a key. */
export async function openPlace(url: string, settings: Record<string, string> = {}) {
  const place = createWorkplace({
    DOCENT_DATABASE_URL: url,
    DOCENT_DATABASE_CONNECTIONS: "4",
    DOCENT_PRELOAD: "off",
    ...settings,
  });
  writePages(place, 3, "zebra");
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", "docs"],
  ]) {
    const { code, err } = await place.run(...words);
    if (code !== 0) throw new Error(err);
  }
  const created = await place.run("keys", "create", "readers");
  const key = /docent_dsc_\w+/.exec(created.out)?.[0] ?? "";
  return {
    place,
    /** Asks a server, and gives the status and the reply. */
    async ask(server: string, text = "What is said of the zebra?"): Promise<[status: number, reply: string]> {
      const reply = await fetch(`${server}/v1/assistant/acme/message`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(question(text)),
      });
      return [reply.status, await reply.text()];
    },
  };
}
