import { expect, test } from "bun:test";
import { join } from "node:path";
import { openGoldenSite, writeDocs } from "../../helpers/golden-site.ts";

const PROGRAM = join(import.meta.dir, "../../helpers/golden-killed.ts");
const QUESTION = "How do I install Acme on Linux?";

test("a run that is killed between its golden questions and the switch leaves readers and questions as they were, and is taken up again", async () => {
  await using it = await openGoldenSite();
  await it.keep(QUESTION, "install");
  writeDocs(it.docs, { "install.md": undefined, "new.md": "# New\n\nA giraffe." });
  const child = Bun.spawn([process.execPath, PROGRAM, it.data], { stdout: "ignore", stderr: "pipe" });
  expect([await child.exited, child.signalCode, await new Response(child.stderr).text()]).toEqual([
    137,
    "SIGKILL",
    "",
  ]);
  expect((await it.site()).generation).toBe(1);
  const ask = async () => {
    const { find } = it.parts.content.search;
    const { hits } = await find({ siteId: it.siteId, audience: "everything", text: QUESTION, pageSize: 9 });
    return hits.map(({ path }) => path);
  };
  expect((await ask())[0]).toBe("install");
  expect(await ask()).not.toContain("new");
  expect((await it.golden.questions.list(it.siteId)).map(({ question }) => question)).toEqual([QUESTION]);
  const [check] = await it.golden.checks(it.siteId);
  expect(check).toMatchObject({ before: 1, generation: null, refused: false });
  expect(await it.run()).toMatchObject({ resumed: true, generation: 2, added: 1, removed: 1 });
  expect((await it.golden.checks(it.siteId)).map(({ generation }) => generation)).toEqual([2, null]);
  expect((await it.golden.report(await it.site(), 2)).golden?.worse).toHaveLength(1);
});
