import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const BAD = "```js\nstate.items.push(item);\nsetState(state);\n```";
const GOOD = "```js\nsetState({ ...state, items: [...state.items, item] });\n```";
const QUESTION = "How do I add an item to state.items with setState?";
const INTRO = "An item is added to the items of a state with `setState`.";

describe("what a page warns of", () => {
  test("is not quoted as the way to do it where the right one stands beside it", async () => {
    for (const [bad, good] of [
      [
        "🔴 Avoid: changing the items of the state, then calling setState:",
        "✅ Good: with a new list of items:",
      ],
      ["**❌ Don't**", "**✅ Do**"],
      ["Don't push an item to the items of the state:", "Instead, pass a new state to `setState`:"],
      ["Bad:", "Good:"],
      ["Incorrect:", "Correct:"],
      ["Before:", "After:"],
      ["For example, this is wrong, because state.items stays the same:", "This is right:"],
      ["Falsch:", "Richtig:"],
      ["À éviter :", "Correct :"],
      ["错误示例：", "正确示例："],
    ]) {
      const text = await quotedAnswer(QUESTION, [
        passage(1, [INTRO, bad, BAD, good, GOOD].join("\n\n"), { headings: ["Items of a state"] }),
      ]);
      expect(text, bad).toContain("...state.items");
      expect(text, bad).not.toContain("push(item)");
    }
  });

  test("is not quoted where its heading warns of it, and the right way has a section of its own", async () => {
    for (const [bad, good] of [
      ["Don't change the state", "Do pass a new state"],
      ["Avoid pushing items to the state", "Pass a new list of items"],
      ["Not recommended", "Recommended"],
      ["Deprecated", "Usage"],
      ["❌ Wrong way", "✅ Right way"],
    ] as const) {
      const text = await quotedAnswer(QUESTION, [
        passage(1, `Call setState with the items of the state:\n\n${BAD}`, { headings: ["State", bad] }),
        passage(2, `Call setState with the items of the state:\n\n${GOOD}`, {
          headings: ["State", good],
          relevance: 0.9,
        }),
      ]);
      expect(text, bad).toContain("...state.items");
      expect(text, bad).not.toContain("push(item)");
    }
  });

  test("is not quoted as the way where the sentence below says that it goes wrong, and shows what doesn't", async () => {
    for (const [fault, better] of [
      ["There is a race condition, because the items are shared.", "The solution is a new list instead:"],
      ["This will not work: setState sees the same items.", "A new list of items is needed:"],
      ["However, this leads to problems in a list that is sorted.", "To fix this, pass a new list of items:"],
      ["Das funktioniert nicht.", "Stattdessen bekommt setState neue items:"],
    ] as const) {
      const text = await quotedAnswer("How do I push an item to state.items?", [
        passage(1, ["An item is pushed to state.items:", BAD, fault, better, GOOD].join("\n\n"), {
          headings: ["Items of a state"],
        }),
      ]);
      const after = text.slice(text.indexOf("push(item)"));
      expect(after, fault).toContain(fault);
      expect(after, fault).toContain("...state.items");
    }
  });

  test("is followed by the better way where its section is shown, with room for its beginning alone", async () => {
    const section = [
      "This puts what a customer of the shop wants into the basket:",
      BAD,
      "Every page of the shop is drawn anew by it, which takes a while. ".repeat(7),
      "There is a race condition, because the items are shared.",
      "The solution is to pass a new list instead:",
      GOOD,
      "The list is drawn once, and again whenever an item of it comes or goes. ".repeat(14),
    ];
    const text = await quotedAnswer(
      "our shop loses every second thing that a customer puts into the basket",
      [passage(1, section.join("\n\n"), { headings: ["Items"], relevance: 0.4 })],
    );
    expect(text).toMatch(/push\(item\).*race condition.*The solution is.*\.\.\.state\.items/s);
  });

  test("is known by its mark on any line, and brings the better way of its section", async () => {
    for (const mark of ["// 🔴 Avoid: the same list", "// 🚩 the same list", "// ❌ the same list"]) {
      const marked = `\`\`\`js\nfunction add(item) {\n  const { items } = state;\n  // of the shop\n  ${mark}\n  items.push(item);\n}\n\`\`\``;
      const text = await quotedAnswer("How do I push an item to the items of a state?", [
        passage(
          1,
          [
            "You might push an item to the items of a state:",
            marked,
            "Nothing is drawn anew then. First, do without that:",
            "```js\n// ✅ a new basket\ndraw([...basket, thing]);\n```",
          ].join("\n\n"),
          { headings: ["Items of a state"] },
        ),
      ]);
      expect(text, mark).toContain("✅ a new basket");
    }
  });

  test("is not warned of by a sentence that stands alone, as if it were said of the way", async () => {
    const text = await quotedAnswer("setState with the same items does not draw the list, why?", [
      passage(
        1,
        [
          "setState({ items }) is called with a list:",
          BAD,
          "This will not work: setState has the same items, and the list is not drawn.",
          "Pass a new list of items to setState, and the list is drawn:",
          GOOD,
        ].join("\n\n"),
        { headings: ["Items of a state"] },
      ),
    ]);
    expect(text).toContain("...state.items");
    const [before = "", after] = text.split("This will not work");
    expect(after === undefined || before.includes("push(item)")).toBeTrue();
  });

  test("is no code that goes wrong in a certain case only, nor one before what comes next", async () => {
    for (const after of [
      "If this fails, the list of items is too long.",
      "This works in all browsers.",
      "The following does not work with a frozen state, use a list instead:",
    ]) {
      const text = await quotedAnswer(QUESTION, [
        passage(1, [INTRO, BAD, after, "```js\nObject.freeze(state);\n```"].join("\n\n"), {
          headings: ["Items of a state"],
        }),
      ]);
      expect(text, after).toContain("push(item)");
      expect(text, after).not.toContain("freeze");
    }
  });

  test("carries its warning where nothing else is there to quote", async () => {
    const under = await quotedAnswer(QUESTION, [
      passage(1, `Call setState with the items of the state:\n\n${BAD}`, {
        headings: ["Anti-patterns", "State"],
      }),
    ]);
    expect(under).toContain("Anti-patterns");
    expect(under.indexOf("Anti-patterns")).toBeLessThan(under.indexOf("setState"));
    const lead = await quotedAnswer(QUESTION, [passage(1, `🔴 Avoid:\n\n${BAD}`, { headings: ["State"] })]);
    expect(lead).toContain("🔴 Avoid:");
  });

  test("is quoted where that is what is asked", async () => {
    const text = await quotedAnswer("What should I avoid when I add an item to state.items?", [
      passage(
        1,
        [INTRO, "Avoid pushing to state.items:", BAD, "Instead, pass a new list:", GOOD].join("\n\n"),
      ),
    ]);
    expect(text).toContain("push(item)");
  });

  test("is no command that must not be forgotten, nor how to avoid something", async () => {
    for (const lead of ["Don't forget to restart the worker after that:", "Avoid downtime by running:"]) {
      const text = await quotedAnswer("How do I restart the worker?", [
        passage(1, `${lead}\n\n\`\`\`sh\nacme worker restart\n\`\`\``),
        passage(2, "The worker has a log, and the worker has a name.", { relevance: 0.9 }),
      ]);
      expect(text, lead).toContain("acme worker restart");
    }
  });
});

describe("steps for what is not supported", () => {
  const STEPS =
    "1. Export the database of Oldfin.\n2. Convert the database.\n3. Import the database into Newfin.";
  const SAID = "Direct migration of a database from Oldfin to Newfin is NOT SUPPORTED.";

  test("are quoted with the sentence that says so", async () => {
    const text = await quotedAnswer("How do I migrate my database from Oldfin to Newfin?", [
      passage(
        1,
        `${SAID} ${"People have asked for it for years, and nobody has had the time. ".repeat(6)}\n\nTo migrate the database from Oldfin to Newfin all the same:\n\n${STEPS}`,
        { headings: ["Migrate from Oldfin"] },
      ),
    ]);
    expect(text).toContain("3. Import the database");
    expect(text).toContain("NOT SUPPORTED");
    expect(text.indexOf("NOT SUPPORTED")).toBeLessThan(text.indexOf("1. Export"));
  });

  test("are quoted without one that is about something else", async () => {
    const text = await quotedAnswer("How do I install Acme on Linux?", [
      passage(
        1,
        `Solaris is not supported. ${"People have asked for it for years. ".repeat(10)}\n\nTo install Acme on Linux, run:\n\n\`\`\`sh\napt install acme\n\`\`\``,
      ),
    ]);
    expect(text).toContain("apt install acme");
    expect(text).not.toContain("Solaris");
  });
});

describe("a question how to turn something on", () => {
  const ON = "```sh\nacme maintenance:enable my-app\n```";
  const OFF = "```sh\nacme maintenance:disable my-app\n```";

  test("is not answered by what turns it off, nor the other way round", async () => {
    const passages = [
      passage(
        1,
        `When the work is done, maintenance mode of an app is disabled, so that it serves again:\n\n${OFF}`,
        {
          headings: ["Restore normal operation"],
        },
      ),
      passage(2, `Maintenance mode shows a page of your own:\n\n${ON}`, {
        headings: ["Maintenance mode"],
        relevance: 0.9,
      }),
    ];
    const on = await quotedAnswer("How do I turn on maintenance mode of my app?", passages);
    expect(on).toContain("maintenance:enable");
    expect(on.indexOf("maintenance:enable")).toBeLessThan(
      (on.indexOf("maintenance:disable") + 1 || 9999) - 1,
    );
    for (const asked of ["turn on maintenance mode", "switch maintenance mode on"]) {
      const imperative = await quotedAnswer(asked, passages);
      expect(imperative.indexOf("maintenance:enable"), asked).toBeGreaterThan(-1);
      expect(imperative.indexOf("maintenance:enable"), asked).toBeLessThan(
        (imperative.indexOf("maintenance:disable") + 1 || 9999) - 1,
      );
    }
    const off = await quotedAnswer("How do I switch maintenance mode of my app off?", passages.toReversed());
    expect(off.indexOf("maintenance:disable")).toBeGreaterThan(-1);
    expect(off.indexOf("maintenance:disable")).toBeLessThan(
      (off.indexOf("maintenance:enable") + 1 || 9999) - 1,
    );
  });
});

test("an option that turns something off does not answer how it is turned on, whatever holds without it", async () => {
  const text = await quotedAnswer("turn on gzip", [
    passage(1, "Enable gzip:\n\n```\nencode gzip\n```", { headings: ["Examples"] }),
    passage(2, "- **roll_uncompressed** turns off gzip of logs.\n\n  Default: gzip of logs is enabled.", {
      headings: ["Logs"],
    }),
  ]);
  expect(text).toContain("encode gzip");
  expect(text.indexOf("encode gzip")).toBeLessThan((text.indexOf("roll_uncompressed") + 1 || 9999) - 1);
});

describe("a question how to take something away", () => {
  test("is not answered by how it is added, nor the other way round", async () => {
    const ADD = "To **add** the `www.` subdomain with a redirect:";
    const REMOVE = "To **remove** it:";
    const [added, removed] = ["redir https://www.{host}", "redir https://example.com"];
    const text = [ADD, `\`\`\`\n${added}\n\`\`\``, REMOVE, `\`\`\`\n${removed}\n\`\`\``].join("\n\n");
    const passages = [passage(1, text, { headings: ["Redirect the www. subdomain"] })];
    const without = await quotedAnswer("Redirect the www subdomain to the version without www", passages);
    expect(without).toContain(removed);
    expect(without.indexOf(removed)).toBeLessThan((without.indexOf(added) + 1 || 9999) - 1);
    const withIt = await quotedAnswer("How do I add www with a redirect?", passages);
    expect(withIt.indexOf(added)).toBeGreaterThan(-1);
    expect(withIt.indexOf(added)).toBeLessThan((withIt.indexOf(removed) + 1 || 9999) - 1);
  });
});
