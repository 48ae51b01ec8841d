import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import { testSurroundings } from "../helpers/docent.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";

const KEYS = 1000;

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  const parts = await openParts(testSurroundings(join(place.folder, "docent-data")));
  const organizationId = (await parts.people.sites.organization(undefined)).id;
  for (let index = 0; index < KEYS; index++)
    await parts.people.keys.create({ organizationId, name: `key ${index}` });
  parts.close();
});
afterAll(() => place.dispose());

/** Lists the keys in a shell, with what stands behind the command; a pipe of Bun's own would take everything at once. */
async function listKeys(rest: string) {
  const program = PROGRAM.map((word) => `'${word}'`).join(" ");
  const child = Bun.spawn(["sh", "-c", `{ ${program} keys list --json; echo "exit $?" >&2; } ${rest}`], {
    cwd: place.folder,
    env: { PATH: process.env["PATH"] ?? "" },
    stdout: "pipe",
    stderr: "pipe",
  });
  return { out: await new Response(child.stdout).text(), err: await new Response(child.stderr).text() };
}

test("all of a long list reaches a reader who takes their time", async () => {
  const { out, err } = await listKeys("| (sleep 1; cat)");
  expect(JSON.parse(out)).toHaveLength(KEYS);
  expect(err).toBe("exit 0\n");
});

test("a reader who has seen enough ends the command as other programs end, without a word", async () => {
  const { out, err } = await listKeys("| head -c 1");
  expect(out).toBe("[");
  expect(err).toBe("exit 141\n");
});

test.skipIf(process.platform !== "linux")(
  "a list that could not be written is a failure, and says so",
  async () => {
    const { err } = await listKeys("> /dev/full");
    expect(err).toContain("could not be written");
    expect(err).toEndWith("exit 1\n");
  },
);
