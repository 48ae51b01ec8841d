import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  expect((await place.run("sites", "add", "acme")).code).toBe(0);
});
afterAll(() => place.dispose());

test("a sealed command is held back by its guard, and by the kernel where that can", async () => {
  const { code, out, err } = await place.run("--sealed", "doctor", "--egress", "--json");
  expect(code, err).toBe(0);
  const { sealed, kernel, proof, egress } = JSON.parse(out);
  expect(sealed).toBe(true);
  expect(proof).toEqual({
    guardRefused: true,
    kernelRefused: kernel.isHeld,
    arrived: kernel.isHeld ? 0 : 1,
  });
  expect(egress).toEqual([{ what: "Ollama", where: "127.0.0.1:1", named: "ollama_host", refused: null }]);
  expect(kernel.says).toStartWith(kernel.isHeld ? "the kernel refuses TCP" : "the kernel does not hold");
});

test("one that is not sealed says that it is not", async () => {
  const { code, out } = await place.run("doctor", "--egress");
  expect(code).toBe(0);
  expect(out).toContain("Docent is not sealed");
});

test("what is off is said where it is added, listed and read", async () => {
  writeFileSync(join(place.folder, "page.md"), "# Page\n");
  expect((await place.run("sources", "add", "acme", "https://docs.example.com", "--later")).code).toBe(0);
  const added = await place.run("--sealed", "sources", "add", "acme", "https://other.example.com");
  expect([added.code, added.err]).toEqual([1, expect.stringContaining("Websites as sources are off")]);
  const read = await place.run("sources", "run", "acme", "--sealed");
  expect([read.code, read.err]).toEqual([1, expect.stringContaining("the setting sealed")]);
  const listed = await place.run("--sealed", "sources", "list", "acme");
  expect(listed.out).toContain("not read");
  expect(listed.err).toContain("What was read before stays.");
});

test("a sealed server says so when it starts, and is found ready", async () => {
  const server = await place.serve("--sealed");
  expect(server.err()).toMatch(/Sealed +Ollama and the database alone are dialled; the kernel/);
  expect((await place.run("health", "--sealed", "--port", new URL(server.url).port)).code).toBe(0);
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
});

test("notices are told of to nobody, and to whoever asks: the exit code says whether anything is wrong", async () => {
  const host = ["--hand-over-hosts", "hooks.example.com"];
  const { out } = await place.run(
    "notices",
    "add",
    "ops",
    "chat",
    "https://hooks.example.com/x",
    "--json",
    ...host,
  );
  const { id } = JSON.parse(out);
  const tried = await place.run("--sealed", "notices", "try", id, ...host);
  expect([tried.code, tried.out]).toEqual([1, expect.stringContaining("while Docent is sealed")]);
  expect(tried.err).toContain("docent notices now");
  const listed = await place.run("--sealed", "notices", "list", ...host);
  expect([listed.out, listed.err]).toEqual([
    expect.stringContaining("while Docent is sealed"),
    expect.stringContaining("docent notices now"),
  ]);
  const well = await place.run("--sealed", "notices", "now", "--json");
  expect([well.code, JSON.parse(well.out)]).toEqual([0, { sealed: true, wrong: [] }]);

  const gone = join(place.folder, "gone");
  mkdirSync(gone);
  const roots = ["--source-roots", `*=${place.folder}`];
  const added = await place.run("sources", "add", "acme", gone, "--later", "--json", ...roots);
  rmdirSync(gone);
  const { number } = JSON.parse(added.out).source;
  expect((await place.run("sources", "run", "acme", `${number}`, "--sealed", ...roots)).code).toBe(1);
  const wrong = await place.run("--sealed", "notices", "now");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(/^source-failing: acme: a source fails\n {2}.*gone could not be read/);
  expect(wrong.out).toContain("/dashboard/default/acme/content/sources/");
});
