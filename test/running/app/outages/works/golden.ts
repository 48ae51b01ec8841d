import { expect } from "bun:test";
import { AppError } from "../../../../../src/kernel/errors.ts";
import { openSeal } from "../../../../../src/running/app/seal.ts";
import { openGolden } from "../../../../../src/running/app.ts";
import { until } from "../../../../helpers/until.ts";
import { followed, NEVER, type Opened, untilWaiting, type Work, type Worker } from "../half-way.ts";
import { addSite, read } from "./site.ts";

const PAGES = {
  install: "# Install Acme\n\nInstall Acme on Linux with the zebra package: run acme-install.",
  backup: "# Back up the database\n\nA backup of the database is written with acme backup every night.",
  proxy: "# Behind a reverse proxy\n\nSet the forwarded header where nginx stands in front of Acme.",
};
const QUESTIONS: readonly [question: string, page: string][] = [
  ["How do I install Acme on Linux?", "install"],
  ["How is a backup of the database written?", "backup"],
  ["Where do I set the forwarded header?", "proxy"],
];

/** A site with golden questions, and what asks them: it is in its middle when it has asked one. */
async function openSite(
  it: Opened,
  domain: string,
  { parts, surroundings }: Worker,
  asked: () => Promise<void>,
) {
  const site = await addSite(it, domain);
  const { index, embedder } = it.server.parts.content;
  await read(it.server, it, { siteId: site.id, pages: PAGES, generation: 0 }, { index, embedder });
  for (const [question, page] of QUESTIONS)
    await parts.golden.questions.add(site, { question, expected: [page] });
  const { content, answers, reports, storage, ids } = parts;
  const ground = { ...surroundings, seal: openSeal(surroundings), ids, storage };
  const search = { ...content.search, find: followed(content.search.find, asked) };
  return { site, golden: openGolden(ground, { content: { ...content, search }, answers, reports }) };
}

/** A server that asks golden questions for somebody. */
export const goldenOfServer: Work = async (it, middle) => {
  const { site, golden } = await openSite(it, "asked", it.server, middle);
  const before = await it.server.parts.golden.run(site.id, NEVER);
  expect(before.map(({ standing }) => standing?.rank)).toEqual([1, 1, 1]);
  let end: unknown;
  const asking = golden.run(site.id, NEVER).then(
    (standing) => {
      end = standing;
    },
    (error: unknown) => {
      end = error;
    },
  );
  return {
    // Who may still read answers all of them.
    refused: () => until(() => end !== undefined),
    async ended() {
      await asking;
      if (end instanceof AppError) expect(end.code).toBe("unavailable");
      else expect(end).toEqual(before);
      expect(await golden.run(site.id, NEVER)).toEqual(before);
    },
  };
};

/** A run that asks golden questions of what it is about to publish. */
export const goldenOfRun: Work = async (it, middle) => {
  const { site, golden } = await openSite(it, "published", it.command, middle);
  const { index, embedder } = it.command.parts.content;
  const pages = { ...PAGES, install: `${PAGES.install} Then reboot.` };
  const options = { index, embedder, watch: golden.watch };
  const running = read(it.command, it, { siteId: site.id, pages, generation: 1 }, options);
  return {
    refused: () => untilWaiting(it.command),
    async ended() {
      expect(await running).toMatchObject({ generation: 2 });
      const checks = await it.server.parts.golden.checks(site.id);
      expect(checks).toMatchObject([{ generation: 2, asked: QUESTIONS.length, worse: [], better: [] }]);
      expect(await it.server.parts.golden.hasReport(site.id, 2)).toBe(true);
    },
  };
};
