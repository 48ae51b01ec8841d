import { expect, test } from "bun:test";
import { asDocsWrite } from "../../../src/finding/search/compounds.ts";
import { stagedPage } from "../../helpers/page-data.ts";
import { publishedDocs } from "../../helpers/published-docs.ts";

/** Words that all docs have. */
const COMMON = "set the a an of to it in give job log kommentar zum environ".split(" ");

/** Docs by how many passages have each term, and each pair of terms side by side. */
const docs = (terms: Record<string, number>, phrases: Record<string, number> = {}, words: string[] = []) => ({
  view: {
    frequencies: async (asked: readonly string[]) =>
      new Map(
        asked.flatMap((term) => {
          const passages = COMMON.includes(term) ? 90 : terms[term];
          return passages ? [[term, passages] as const] : [];
        }),
      ),
    phraseFrequency: async (phrase: readonly string[]) => phrases[phrase.join(" ")] ?? 0,
  },
  isWord: async (text: string) => words.includes(text.toLowerCase()),
});

const ZONE = docs({ time: 90, zone: 40, rest: 9, ore: 3 }, { "time zone": 30 }, ["restore"]);

test.each([
  [
    "a word that docs write in two is asked in two",
    "Set the Timezone of a job",
    "Set the Time zone of a job",
    ZONE,
  ],
  [
    "a word that docs have stays",
    "set the timezone",
    "set the timezone",
    docs({ timezon: 1, time: 9, zone: 9 }),
  ],
  ["a word whose parts stand nowhere together stays", "restore a job", "restore a job", ZONE],
  [
    "no more than three words are cut, because each is looked up in many ways",
    "set the timezone of a zonetime to the timetime in the zonezone",
    "set the time zone of a zone time to the time time in the zonezone",
    docs({ time: 9, zone: 9 }, { "time zone": 1, "zone time": 1, "time time": 1, "zone zone": 1 }),
  ],
  ["a question in another language than the docs stays", "die timezone setzen", "die timezone setzen", ZONE],
  [
    "long parts may stand apart",
    "Kommentar zum Verbindungsaufbau",
    "Kommentar zum Verbindungs aufbau",
    docs({ verbindung: 12, aufbau: 5 }),
  ],
  [
    "a word of the language is no compound because its parts are words",
    "the understanding of it",
    "the understanding of it",
    docs({ under: 12, understand: 0, stand: 5, standing: 9 }, {}, ["understanding"]),
  ],
  [
    "a verb and its particle are asked as the noun that docs make of them",
    "back up it, and Log in to set up the job",
    "backup it, and Login to set up the job",
    docs({ backup: 3, login: 2, setup: 4 }, { "set up": 4 }),
  ],
  [
    "the noun is asked where the docs have it more than twice as often as the verb",
    "set up the job",
    "setup the job",
    docs({ setup: 9 }, { "set up": 4 }),
  ],
  [
    "a noun that docs do not have is asked as its verb",
    "a backup of it, and Logins to the setup",
    "a back up of it, and Log in to the set up",
    docs({ back: 9 }, { "back up": 3, "log in": 1, "set up": 4 }),
  ],
  [
    "a noun that docs have, too, is asked as its verb where they have that five times as often",
    "a backup and a rollback of the job",
    "a back up and a rollback of the job",
    docs({ backup: 1, back: 9, rollback: 2, roll: 12 }, { "back up": 5, "roll back": 9 }),
  ],
  [
    "a noun whose verb may be a word and a preposition must be twenty times rarer",
    "a login to the job",
    "a login to the job",
    docs({ login: 1 }, { "log in": 19 }),
  ],
  [
    "a word that ends as a verb's particle is no verb by that",
    "begin the group",
    "begin the group",
    docs({ beg: 4 }),
  ],
  [
    "a compound that ends as a verb's particle is cut where the docs cut it",
    "the Datenbankregion",
    "the Datenbank region",
    docs({ datenbank: 12, region: 5 }),
  ],
  ["a preposition is no particle", "give the log in the job", "give the log in the job", docs({ login: 20 })],
  [
    "two words that docs write as one are asked as one",
    "give the run time an environment",
    "give the runtime an environment",
    docs({ run: 50, time: 50, runtim: 80 }, { "run time": 2 }),
  ],
  [
    "two words that docs write both ways stay",
    "give the run time an environment",
    "give the run time an environment",
    docs({ run: 50, time: 50, runtim: 80 }, { "run time": 12 }),
  ],
  [
    "a word that is written as one in a few places may be a typo there",
    "the run time",
    "the run time",
    docs({ run: 50, time: 50, runtim: 4 }),
  ],
  [
    "words that are in every question are not joined",
    "set of to it",
    "set of to it",
    docs({ setof: 80, ofto: 80 }),
  ],
  [
    "names stay as they are",
    "GroundTruth and ground_truth",
    "GroundTruth and ground_truth",
    docs({ ground: 9, truth: 9 }, { "ground truth": 9 }),
  ],
  ["what stands in quotes stays", '"timezone" of a job', '"timezone" of a job', ZONE],
])("%s", async (_, written, expected, given) => {
  expect(await asDocsWrite(written, given)).toBe(expected);
});

test("no place of a particle is looked for where docs do not have the verb", async () => {
  const given = docs({ version: 40, admin: 30, session: 20 });
  let looked = 0;
  const phraseFrequency = async () => ++looked;
  const view = { ...given.view, phraseFrequency };
  await asDocsWrite("the session of an admin, and its version", { ...given, view });
  expect(looked).toBe(0);
});

test("a noun finds the page that has its verb", async () => {
  using docs = await publishedDocs([
    stagedPage("restart", "Restart the service after each change."),
    stagedPage("copy", "To back up your data, copy the folder. To log in, open the page."),
  ]);
  for (const asked of ["backup", "how do I make backups?", "login"])
    expect((await docs.find(asked)).hits[0]?.path).toBe("copy");
});

test("a compound finds the page that writes it in two words, and nobody is told of a correction", async () => {
  using docs = await publishedDocs([
    stagedPage("clock", "The time zone is that of the server."),
    stagedPage("other", "The time of a job, and the zone of a host."),
  ]);
  const { hits, corrected } = await docs.find("timezone");
  expect([hits[0]?.path, corrected]).toEqual(["clock", undefined]);
});
