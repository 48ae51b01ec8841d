import { afterAll, beforeAll, expect, test } from "bun:test";
import { FIXTURE_DOCS } from "../helpers/docent.ts";
import { createWorkplace, type Workplace } from "../helpers/program.ts";

/** Each test starts the program several times, which takes long on a busy machine. */
const PROGRAMS_MS = 300_000;

let place: Workplace;
beforeAll(async () => {
  place = createWorkplace();
  await place.run("sites", "add", "acme");
  await place.run("ingest", "acme", FIXTURE_DOCS);
}, PROGRAMS_MS);
afterAll(() => place.dispose());

test(
  "a gap is listed, its state is set, and it goes with the words of its reader",
  async () => {
    const asked = await place.run("ask", "acme", "Who won the world cup in 1954?");
    expect(asked.code, asked.err).toBe(0);
    const listed = await place.run("gaps", "list", "acme");
    expect(listed.out).toMatch(
      /1 +\d{4}-\d\d-\d\d +Who won the world cup in 1954\? +not near enough .* open /,
    );
    const [gap] = JSON.parse((await place.run("gaps", "list", "acme", "--json")).out);
    expect(gap).toMatchObject({ count: 1, state: "open", reason: "below_gate" });
    const set = await place.run("gaps", "set", "acme", gap.id, "documented");
    expect(set.out).toBe(
      "Who won the world cup in 1954? is documented.\n" +
        "It is asked again after the next ingest: docent gaps list shows what came of it.\n",
    );
    const open = await place.run("gaps", "list", "acme", "--state", "open");
    expect([open.out, open.err]).toEqual(["", "acme has no gaps that are open.\n"]);
    const deleted = await place.run("threads", "delete", "acme", "--reader", "cli", "--json");
    expect(JSON.parse(deleted.out)).toEqual({ threads: 1, turns: 1 });
    expect((await place.run("gaps", "list", "acme")).err).toInclude("has no gaps");
  },
  PROGRAMS_MS,
);

test(
  "what cannot be is refused with its reason",
  async () => {
    for (const [words, reason] of [
      [["gaps", "list", "acme", "--state", "closed"], "open, documented or dismissed, not closed"],
      [["gaps", "set", "acme", "none", "open"], "Not found"],
      [["threads", "delete", "acme"], "Name a thread, or a reader with --reader."],
      [["threads", "delete", "acme", "--reader", "anonymous"], "anonymous is every reader"],
      [["sites", "set", "acme", "--retention-days", "soon"], "is a number of days, not soon"],
      [["sites", "set", "acme", "--retention-days", "40000"], "retentionDays"],
    ] as const) {
      const { code, err } = await place.run(...words);
      expect([words, code]).toEqual([words, 1]);
      expect(err).toInclude(reason);
    }
  },
  PROGRAMS_MS,
);

test(
  "how long a site keeps what readers said is shown with its settings",
  async () => {
    expect((await place.run("sites", "set", "acme", "--retention-days", "90")).code).toBe(0);
    const [site] = JSON.parse((await place.run("sites", "list", "--json")).out);
    expect(site.settings.retentionDays).toBe(90);
  },
  PROGRAMS_MS,
);
