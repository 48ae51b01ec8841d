import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

// Each starts the program several times.

let place: Workplace;
let data: string;
beforeEach(() => {
  place = createWorkplace();
  data = join(place.folder, "docent-data");
});
afterEach(() => place.dispose());

/** How it ended, and what it said. */
async function ending({ child, err }: Awaited<ReturnType<Workplace["serve"]>>) {
  return { code: await child.exited, err: err() };
}

test.if(process.platform !== "win32")(
  "a second server is refused also when somebody has deleted the lock's file; the first one and commands go on",
  async () => {
    await place.run("sites", "add", "acme");
    const first = await place.serve();
    rmSync(join(data, "server.lock"));
    const second = await place.run("serve", "--port", "0");
    expect(second.code).toBe(1);
    expect(second.err).toContain("A server is using the data directory");
    const restored = await place.run("restore", join(data, "docent.db"));
    expect([restored.code, restored.err]).toEqual([1, second.err]);
    const listed = await place.run("sites", "list", "--json");
    expect(JSON.parse(listed.out)).toMatchObject([{ domain: "acme" }]);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    first.child.kill("SIGTERM");
    expect(await first.child.exited).toBe(0);
  },
);

test("a server whose directory is moved ends, and says why; what it acknowledged is where the directory is", async () => {
  const server = await place.serve();
  await place.run("sites", "add", "acme");
  renameSync(data, `${data}-moved`);
  const { code, err } = await ending(server);
  expect(code).toBe(1);
  expect(err).toContain("was moved or removed while it was in use");
  const listed = await place.run("sites", "list", "--json", "--data", `${data}-moved`);
  expect(JSON.parse(listed.out)).toMatchObject([{ domain: "acme" }]);
  expect(existsSync(data)).toBe(false);
});

test("a server whose database is replaced by hand ends, and leaves the other one as it is", async () => {
  await place.run("sites", "add", "other");
  cpSync(data, `${data}-other`, { recursive: true });
  const server = await place.serve();
  await place.run("sites", "add", "acme");
  renameSync(join(`${data}-other`, "docent.db"), join(data, "docent.db"));
  const { code, err } = await ending(server);
  expect(code).toBe(1);
  expect(err).toContain("was given another one");
});

test("a directory whose database was emptied is refused, no link for a first owner is printed, and a restore mends it", async () => {
  await place.run("sites", "add", "acme");
  const file = join(data, "backups", "mine.db");
  await place.run("backup", file);
  rmSync(join(data, "docent.db"));
  writeFileSync(join(data, "docent.db"), "");
  const refused = await place.run("serve", "--port", "0");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("was used before");
  expect(refused.err).toContain("mine.db");
  expect(refused.err).not.toContain("link=");
  expect((await place.run("restore", file)).code).toBe(0);
  const listed = await place.run("sites", "list", "--json");
  expect(JSON.parse(listed.out)).toMatchObject([{ domain: "acme" }]);
});
