import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(5);

describe("a question whether something can be done", () => {
  test("is answered by the sentence that says no, or on what condition, before one that only speaks of it", async () => {
    for (const [question, speaks, settles] of [
      [
        "Can I use a custom domain on the free plan?",
        "You can use a custom domain for the docs of a site, and a plan for each domain.",
        "A custom domain cannot be used on the free plan.",
      ],
      [
        "Can I rename a site?",
        "You can rename a site in its settings, next to the name of the site.",
        "A site cannot be renamed once it has readers.",
      ],
      [
        "Is it possible to run two workers on one host?",
        "You can run a worker on a host, and workers on each host that you have.",
        "Two workers run on one host only if each has a name of its own.",
      ],
      [
        "May I share one volume between two apps?",
        "You may share a volume, and each volume has a name that its apps know.",
        "Two apps must not share one volume unless both only read it.",
      ],
      [
        "Kann ich die Datenbank im laufenden Betrieb sichern?",
        "Die Datenbank kann gesichert werden, und der Betrieb läuft mit einer Datenbank.",
        "Im laufenden Betrieb darf die Datenbank nicht gesichert werden, es sei denn, WAL ist an.",
      ],
    ] as const) {
      const text = await quotedAnswer(question, [
        passage(1, `${FILLER}${speaks} ${FILLER}\n\n${settles} ${FILLER}`),
      ]);
      expect(text, question).toContain(settles);
      expect(text.indexOf(settles), question).toBeLessThan((text.indexOf(speaks) + 1 || 9999) - 1);
    }
  });

  test("is never answered without the sentence that takes back what the one before it says", async () => {
    for (const limit of [
      "However, this is not possible on shared hosts.",
      "This only works if the host has two disks.",
      "Unless the host has two disks, the import fails.",
      "But never do so while the server runs.",
    ]) {
      const yes = "You can import a database from another host with `acme import`.";
      const text = await quotedAnswer("Can I import a database from another host?", [
        passage(1, `${FILLER}${yes} ${limit} ${FILLER}`),
      ]);
      expect(text, limit).toContain(`${yes} ${limit}`);
    }
  });

  test("is answered by the condition in a paragraph of its own, or a callout, below the sentence", async () => {
    const yes = "You can import a database from another host with `acme import`.";
    for (const limit of [
      "However, this is not possible on shared hosts.",
      "> [!WARNING]\n> Only works on hosts of your own.",
    ]) {
      const text = await quotedAnswer("Can I import a database from another host?", [
        passage(1, `${FILLER}\n\n${yes}\n\n${limit}\n\n${FILLER}`),
      ]);
      expect(text, limit).toContain(limit.replace("> [!WARNING]\n> ", ""));
    }
  });
});

describe("a question whether something may be done", () => {
  test("is answered with the sentence of the same section that says that it should not", async () => {
    const way = "Open the port 8096 in the settings of the router, below its other rules.";
    for (const [question, refusal] of [
      ["Can I simply open 8096 on the router for everybody?", "Opening a port to the internet is insecure."],
      ["ok to open 8096 on the router?", "Open ports are not recommended."],
      ["can't I just open 8096 on the router", "You should never open a port to the internet."],
      ["May I open 8096 on the router?", "Open ports let anybody in, which is dangerous."],
      ["Darf ich 8096 am Router öffnen?", "Den Router zu öffnen ist gefährlich."],
    ] as const) {
      const text = await quotedAnswer(question, [
        passage(1, `${FILLER}${way} ${FILLER}\n\n${FILLER}${refusal}`),
      ]);
      expect(text, question).toContain(refusal);
    }
  });

  test("is answered without what another section says of something else", async () => {
    const text = await quotedAnswer("May I open 8096 on the router?", [
      passage(
        1,
        `Open the port 8096 on the router.\n\n## Disks\n\nTo open a disk twice is dangerous. ${FILLER.repeat(4)}`,
      ),
    ]);
    expect(text).toContain("Open the port 8096");
    expect(text).not.toContain("dangerous");
  });

  test("is answered with the sentence that opens a section to say that what it is called is not supported", async () => {
    const steps =
      "1. Stop the server.\n2. Copy the database `acme.db` to the new folder.\n3. Start the server.";
    const refusal = "Direct migration from Emacs to Acme is NOT SUPPORTED.";
    const text = await quotedAnswer("Copy the emacs database over", [
      passage(1, `> [!NOTE]\n> ${refusal}\n\n${FILLER.repeat(4)}\n\n${steps}`, {
        title: "Migrating",
        headings: ["Migrating from Emacs 3.5 to Acme"],
      }),
    ]);
    expect(text).toContain(refusal);
    expect(text).toContain("Copy the database");
  });
});

test("a question how something is done is answered without limits that are a sentence further", async () => {
  const text = await quotedAnswer("How is a database imported from another host?", [
    passage(
      1,
      `${FILLER}A database is imported from another host with \`acme import\`. However, hosts may be slow. ${FILLER}`,
    ),
  ]);
  expect(text).not.toContain("hosts may be slow");
});
