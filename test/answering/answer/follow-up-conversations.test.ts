import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import {
  completeQuestion,
  toSearch,
  type Wanted,
} from "../../../src/answering/answer/follow-up/follow-up.ts";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";
import { pathWithin } from "../../../src/sites/site/page-address.ts";
import { fakeClock } from "../../helpers/fake-clock.ts";
import { memoryReader } from "../../helpers/memory-reader.ts";
import { openIngest } from "../../helpers/open-ingest.ts";
import { openSearch } from "../../helpers/open-search.ts";
import { sourceSpec } from "../../helpers/page-data.ts";
import { addSite } from "../../helpers/site-data.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";
import { wordEmbedder } from "../../helpers/word-embedder.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures/conversations");
const DOCS = { larkspur: join(FIXTURES, "docs"), docent: join(import.meta.dir, "../../../docs") };
const FOUND_MAX = 20;

const conversationLine = z.object({
  kind: z.string(),
  docs: z.enum(["larkspur", "docent"]),
  /** Questions with their answers. */
  turns: z.array(z.tuple([z.string(), z.string()])),
  /** The last question, and the pages of which one answers it. None for thanks. */
  ask: z.string(),
  expected: z.array(z.string()),
  leans: z.boolean(),
});
type Conversation = z.infer<typeof conversationLine>;
type Find = (wanted: Wanted) => Promise<string[]>;

const conversations = (await Bun.file(join(FIXTURES, "conversations.jsonl")).text())
  .trim()
  .split("\n")
  .map((line) => conversationLine.parse(JSON.parse(line)));

const historyOf = ({ turns }: Conversation): PastMessage[] =>
  turns.flatMap(([question, answer]) => [
    { role: "user" as const, text: question },
    { role: "assistant" as const, text: answer },
  ]);

/** How often the right page was among the first one, three and five. */
interface Score {
  asked: number;
  first: number;
  three: number;
  five: number;
}

/** Paths of the pages that a query finds, the best first. */
async function openDocs(folder: string): Promise<Find & Disposable> {
  const storage = await openTestStorage();
  const site = await addSite(storage.sites, "docs");
  const embedder = wordEmbedder();
  const files = [...new Bun.Glob("**/*.md").scanSync({ cwd: folder })].sort();
  const pages = await Promise.all(
    files.map(async (file) => {
      const path = file.replaceAll("\\", "/").replace(/(?:(?:^|\/)index)?\.md$/, "");
      return [path, await Bun.file(join(folder, file)).text()] as const;
    }),
  );
  const { signal } = new AbortController();
  const reader = memoryReader(Object.fromEntries(pages));
  const source = sourceSpec(site.id);
  await openIngest(storage, fakeClock().clock, { embedder }).run({ source, reader, generation: 0, signal });
  const search = openSearch(storage, { embedder });
  const find: Find = async ({ text, continued }) => {
    // By words alone: what is measured here is the query, and the test's embedder knows nothing of meaning.
    const { hits } = await search.find({
      audience: "everything",
      siteId: site.id,
      text,
      pageSize: FOUND_MAX,
      parts: { nearest: false },
      conversation: continued && {
        ...continued,
        cited: continued.cited.map((address) => pathWithin(site, address)),
      },
    });
    return [...new Set(hits.map(({ path }) => path))];
  };
  return Object.assign(find, { [Symbol.dispose]: storage[Symbol.dispose] });
}

async function scores(wantedOf: (conversation: Conversation) => Wanted, finds: Record<string, Find>) {
  const byKind = new Map<string, Score>();
  for (const conversation of conversations.filter(({ expected }) => expected.length > 0)) {
    const paths = (await finds[conversation.docs]?.(wantedOf(conversation))) ?? [];
    const place = paths.findIndex((path) => conversation.expected.includes(path));
    for (const kind of [conversation.kind, "all"]) {
      const score = byKind.get(kind) ?? { asked: 0, first: 0, three: 0, five: 0 };
      score.asked += 1;
      score.first += Number(place === 0);
      score.three += Number(place >= 0 && place < 3);
      score.five += Number(place >= 0 && place < 5);
      byKind.set(kind, score);
    }
  }
  return byKind;
}

const NONE: Score = { asked: 0, first: 0, three: 0, five: 0 };
const share = (count: number, { asked }: Score) => count / asked;

function table(before: Map<string, Score>, after: Map<string, Score>): string {
  const rows = [...after].map(([kind, now]) => {
    const was = before.get(kind) ?? NONE;
    const hits = ({ first, three, five }: Score) =>
      [first, three, five].map((hit) => String(hit).padStart(5)).join("");
    return `${kind.padEnd(22)}${String(now.asked).padStart(4)} |${hits(was)} |${hits(now)}`;
  });
  return ["kind                  asked | as asked 1 3 5 | completed 1 3 5", ...rows, ""].join("\n");
}

describe("conversations", () => {
  let before = new Map<string, Score>();
  let after = new Map<string, Score>();
  const score = (from: Map<string, Score>, kind: string) => from.get(kind) ?? NONE;

  beforeAll(async () => {
    using larkspur = await openDocs(DOCS.larkspur);
    using docent = await openDocs(DOCS.docent);
    const finds = { larkspur, docent };
    before = await scores(({ ask }) => ({ text: ask, continued: undefined }), finds);
    after = await scores((conversation) => toSearch(conversation.ask, historyOf(conversation), []), finds);
    process.stdout.write(`\n${table(before, after)}`);
  });

  test("there are enough of them to say something, of every kind", () => {
    expect(conversations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(conversations.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(12);
  });

  test("the page that answers is found, far more often than by the question as it was asked", () => {
    const [was, is] = [score(before, "all"), score(after, "all")];
    expect(share(is.three, is)).toBeGreaterThanOrEqual(0.9);
    expect(share(is.five, is)).toBeGreaterThanOrEqual(0.93);
    expect(share(is.three, is) - share(was.three, was)).toBeGreaterThanOrEqual(0.15);
    expect(share(is.first, is) - share(was.first, was)).toBeGreaterThanOrEqual(0.15);
  });

  for (const kind of ["affirmation", "why", "comparison", "list reference", "another language"]) {
    test(`${kind}: completing beats asking as it was asked`, () => {
      expect(score(after, kind).three).toBeGreaterThan(score(before, kind).three);
    });
  }

  for (const kind of ["topic change", "only looks dependent", "code or error"]) {
    test(`${kind}: nothing is dragged back into the question`, () => {
      expect(score(after, kind)).toEqual(score(before, kind));
    });
  }

  for (const conversation of conversations) {
    const { ask, leans } = conversation;
    const after = conversation.turns.at(-1)?.[0] ?? "";
    test(`"${ask.slice(0, 60)}" ${leans ? "leans on" : "stands alone after"} "${after}"`, () => {
      const completed = completeQuestion(ask, historyOf(conversation));
      expect(completed.leans).toBe(leans);
      if (!leans) expect(completed.query).toBe(ask);
    });
  }
});
