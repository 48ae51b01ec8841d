import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { NotHere, runBounded } from "./bounded.ts";
import { confluence } from "./formats/confluence.ts";
import { docbook } from "./formats/docbook.ts";
import { dokuwiki } from "./formats/dokuwiki.ts";
import type { FormatJudge } from "./formats/judge.ts";
import { man } from "./formats/man.ts";
import { mediawiki } from "./formats/mediawiki.ts";
import { org } from "./formats/org.ts";
import { pod } from "./formats/pod.ts";
import { compareFiles } from "./formats/shown.ts";
import { linesOf } from "./generators/built-site.ts";
import { LACKING, lackingWords } from "./generators/shown-words.ts";

// Records what other programs show of our pages in formats that are not Markdown, or compares what Docent shows of real
// pages with what they do: scripts/formats/README.md.

const JUDGES: readonly FormatJudge[] = [confluence, docbook, dokuwiki, man, mediawiki, org, pod];
const RECORDED = join(import.meta.dir, "..", "test", "fixtures", "formats");
const MINUTE_MS = 60_000;
const EXAMPLES = 40;

async function main(given: readonly string[]): Promise<number> {
  const [on, folder] = given[0] === "--on" ? given.slice(0, 2) : [];
  const names = on === undefined ? given : given.slice(2);
  const judges = JUDGES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (judges.length < names.length || (on !== undefined && (folder === undefined || names.length !== 1))) {
    say(`usage: formats.ts [--on FOLDER] NAME, of ${JUDGES.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  for (const judge of judges) {
    try {
      if (folder === undefined) await record(judge);
      else await report(resolve(folder), await publish(judge, resolve(folder), true));
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      say(`${judge.name} IS LEFT OUT, which needs ${judge.needs}: ${error.message}`);
    }
  }
  return 0;
}

/** Writes the words of our pages anew, and says what Docent lacks of them. */
async function record(judge: FormatJudge): Promise<void> {
  const folder = join(RECORDED, judge.name);
  const published = await publish(judge, join(folder, "pages"), false);
  await Bun.write(join(folder, "words.json"), `${JSON.stringify(published, null, 2)}\n`);
  await report(join(folder, "pages"), published);
}

type Published = Record<string, string[]>;

/** What a program shows of the pages in a folder. Of somebody's real pages, those that it refuses are left out. */
async function publish(judge: FormatJudge, folder: string, isForeign: boolean): Promise<Published> {
  const untilMs = Date.now() + 15 * MINUTE_MS;
  const scratch = await mkdtemp(join(tmpdir(), `docent-${judge.name}-`));
  const published: Published = {};
  try {
    const files = [...new Bun.Glob("**/*").scanSync(folder)].filter((file) => judge.isPage(file));
    for (const file of files.sort()) {
      const page = join(folder, file);
      const out = join(scratch, `${file}.html`);
      await mkdir(dirname(out), { recursive: true });
      try {
        await runBounded(await judge.command({ page, out }), { untilMs, folder: dirname(page) });
        published[file] = linesOf(await Bun.file(out).text(), judge);
      } catch (error) {
        if (!isForeign || !(error instanceof NotHere)) throw error;
        say(`${file} is left out: ${error.message}`);
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return published;
}

async function report(folder: string, published: Published): Promise<void> {
  const compared = await compareFiles(folder, published);
  say(`${folder}: ${compared.length} of ${Object.keys(published).length} files are pages of Docent's`);
  for (const [what, of] of Object.entries({ ...LACKING, words: lackingWords })) {
    const lacking = compared.flatMap(of);
    say(`  ${what}: ${lacking.length} lacking`);
    for (const each of lacking.slice(0, EXAMPLES)) say(`    ${each}`);
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

process.exit(await main(process.argv.slice(2)));
