import { describe, expect, test } from "bun:test";
import { cutPieces, cutSentences } from "../../../src/answering/answer/pieces.ts";
import { type PackOptions, packPassages } from "../../../src/answering/answer/prompt/packing.ts";
import { showPassage } from "../../../src/answering/answer/prompt/wording.ts";
import type { NumberedPassage } from "../../../src/answering/answer/responder.ts";
import { tokensAtMost } from "../../../src/models/ollama/tokens/count.ts";
import { numberedPassage } from "../../helpers/responder-request.ts";

const FILLER =
  "The weather was fine on that day and nobody in the office thought of anything else at all. ".repeat(6);

function pack(question: string, passages: NumberedPassage[], more: Partial<PackOptions> = {}) {
  return packPassages(passages, {
    question,
    language: "en",
    tokens: 400,
    bestPieceTokensMax: 400,
    count: tokensAtMost,
    show: showPassage,
    ...more,
  });
}
const packed = (question: string, text: string, more: Partial<PackOptions> = {}): string =>
  pack(question, [numberedPassage(1, text)], more)[0]?.text ?? "";

const count = (text: string, word: string): number => text.split(word).length - 1;

describe("of the passages that were found", () => {
  test("all are whole where they fit, in their order", () => {
    const passages = [
      numberedPassage(1, `Backups are files. ${FILLER}`),
      numberedPassage(2, `The weather was fine. ${FILLER}`),
    ];
    const kept = pack("How long is retention?", passages, { tokens: 2000 });
    expect(kept.map(({ text }) => text)).toEqual(passages.map(({ text }) => text.trim()));
  });

  test("the first ones are whole where not all fit, and of the others what bears on the question is kept", () => {
    const passages = [
      numberedPassage(1, "Backups are files. Each has a date."),
      numberedPassage(2, `${FILLER} Retention lasts 90 days. Then they go. ${FILLER}`),
    ];
    const kept = pack("How long is retention?", passages, { tokens: 200 });
    expect(kept[0]?.text).toBe("Backups are files. Each has a date.");
    expect(kept[1]?.text).toContain("Retention lasts 90 days. Then they go.");
    expect(count(kept[1]?.text ?? "", "weather")).toBeLessThan(8);
  });

  test("gaps are marked, and the sentences beside the best one are kept", () => {
    const twice = `Retention is for backups. ${FILLER} Retention lasts 90 days. ${FILLER}`;
    const kept = packed("What is the retention of backups?", twice, { tokens: 90 });
    expect(kept).toMatch(/^Retention is for backups\..* … .*lasts 90 days\./);
  });

  test("those that say nothing of it give way, and the others keep their numbers and their order", () => {
    const passages = [
      numberedPassage(1, `Retention is set in the settings. ${FILLER}`, { relevance: 0.9 }),
      numberedPassage(2, FILLER, { relevance: 0.3 }),
      numberedPassage(3, `${FILLER} Retention lasts 90 days.`, { relevance: 0.8 }),
    ];
    const kept = pack("How long is retention?", passages, { tokens: 140 });
    expect(kept.map(({ number }) => number)).toEqual([1, 3]);
    for (const { text } of kept) expect(count(text, "weather")).toBeLessThan(4);
  });

  test("one that says only what others say is left out", () => {
    const same = "Retention lasts 90 days for all backups of the server. Then they are removed.";
    const passages = ["/v2/backups", "/v1/backups"].map((url, index) =>
      numberedPassage(index + 1, same, { url }),
    );
    expect(pack("How long is retention?", passages).map(({ number }) => number)).toEqual([1]);
  });

  test("what two of them say in the same words is kept once where there is no room for both, where it counts most", () => {
    const same = "Retention lasts 90 days for all backups of the server.";
    const passages = [
      numberedPassage(1, `${same} The first page says how. ${FILLER}`, { url: "/v2/backups" }),
      numberedPassage(2, `${same} The second page says when retention ends. ${FILLER}`, {
        url: "/v1/backups",
      }),
    ];
    const kept = pack("How long is retention of backups?", passages, { tokens: 180 });
    expect(count(kept.map(({ text }) => text).join("\n"), same)).toBe(1);
    expect(kept[0]?.text).toContain(same);
    expect(kept[1]?.text).toContain("when retention ends");
  });

  test("nor are parts of what is shown whole", () => {
    const same = "Retention lasts 90 days for all backups of the server.";
    const kept = pack(
      "How long is retention?",
      [
        numberedPassage(1, `${same} It is set by the owner.`, { url: "/v2" }),
        numberedPassage(2, `${same} ${FILLER}${FILLER} Retention may be longer.`, { url: "/v1" }),
      ],
      { tokens: 150 },
    );
    expect(count(kept.map(({ text }) => text).join("\n"), same)).toBe(1);
    expect(kept[1]?.text).toContain("may be longer");
  });

  test("a sentence that announces code, a list or a table comes with it", () => {
    const text = `${FILLER}\n\nWrite this into the retention file:\n\n\`\`\`json\n{ "days": 90 }\n\`\`\`\n\n${FILLER}`;
    expect(packed("How is retention written?", text, { tokens: 80 })).toContain('{ "days": 90 }');
  });

  test("so does an item or a quote that announces something", () => {
    for (const lead of ["- The retention file:", "> [!NOTE]\n> The retention file:"]) {
      const text = `${FILLER}\n\n${lead}\n\n\`\`\`json\n{ "days": 90 }\n\`\`\`\n\n${FILLER}`;
      expect(packed("How is retention written?", text, { tokens: 80 })).toContain('{ "days": 90 }');
    }
  });

  test("a gap is marked at the beginning and at the end too", () => {
    const text = `${FILLER}\n\nRetention lasts 90 days.\n\n${FILLER}`;
    expect(packed("How is retention written?", text, { tokens: 40 })).toBe(
      "…\n\nRetention lasts 90 days.\n\n…",
    );
  });

  test("a heading above another one of the same words is left away", () => {
    const text = "## `retention_days`\n\n### `retention_days`\n\nIt lasts 90 days.";
    expect(packed("retention_days", text)).toBe("### `retention_days`\n\nIt lasts 90 days.");
  });

  test("pictures are their words, as links within the docs are", () => {
    const text =
      "![Diagram of retention](https://pictures.example/retention.png) Backups last [90 days](https://docs.example/days).";
    expect(packed("retention", text)).toBe(
      "Diagram of retention Backups last [90 days](https://docs.example/days).",
    );
  });

  test("what is nearest in meaning is kept, where no word is shared", () => {
    const text = `${FILLER} Backups vanish after 90 days. ${FILLER}`;
    const nearness: PackOptions["nearness"] = (pieces) =>
      pieces.map(({ markdown }) => (markdown.includes("vanish") ? 0.9 : 0.1));
    expect(packed("When do copies expire?", text, { nearness, tokens: 60 })).toContain("90 days");
    expect(packed("When do copies expire?", text, { tokens: 60 })).not.toContain("90 days");
  });

  test("prose is plain: without needless escapes, and with the words of links within the docs", () => {
    const text =
      "| Type | Size |\n| --- | --- |\n| c5d\\.large \\| x | 1 x 50 GB \\(NVMe\\), see [sizes](sizes.md#nvme) |\n";
    expect(packed("c5d.large", text)).toContain("| c5d.large \\| x | 1 x 50 GB (NVMe), see sizes |");
    const shown = packed(
      "keys",
      "1\\. Rotate `a\\.b` \\<keys\\> at [the site](https://acme.test/a\\.b), [here](/keys), [https://acme.test](https://acme.test).",
    );
    expect(shown).toBe(
      "1\\. Rotate `a\\.b` \\<keys\\> at [the site](https://acme.test/a.b), here, https://acme.test.",
    );
  });

  test("a rare word of the question counts for more than a frequent one", () => {
    const text = `${"The server writes a file on the server for each server. ".repeat(20)}\n\nQuorum needs a server.`;
    expect(packed("Does the server need a quorum?", text, { tokens: 60 })).toContain("Quorum needs");
  });

  test("the question's words are found in other forms, and in the heading above", () => {
    const text = `${FILLER}\n\nDie Aufbewahrungsfristen enden nach 90 Tagen.\n\n${FILLER}`;
    expect(packed("Wie lange ist die Aufbewahrungsfrist?", text, { tokens: 80 })).toContain("90 Tagen");
    const below = `${FILLER}\n\n## Retention\n\nIt lasts 90 days.\n\n## Weather\n\n${FILLER}`;
    expect(packed("How long is retention?", below, { tokens: 60 })).toBe(
      "…\n\n## Retention\n\nIt lasts 90 days.\n\n…",
    );
  });

  test("no more is kept than the budget, titles included", () => {
    const passages = Array.from({ length: 8 }, (_, index) =>
      numberedPassage(index + 1, `Retention ${index} lasts ${index} days. ${FILLER}`.repeat(2)),
    );
    for (let tokens = 0; tokens < 900; tokens += 37) {
      const kept = pack("How long is retention?", passages, { tokens, bestPieceTokensMax: tokens });
      expect(tokensAtMost(kept.map(showPassage).join("\n"))).toBeLessThanOrEqual(tokens);
    }
  });
});

describe("what belongs together", () => {
  const CODE = "```sh\nacme rotate --all\nacme check\n```";

  test("is code with the sentence before it, whole", () => {
    const text = `${FILLER}\n\nSee the list. To rotate the keys, run this:\n\n${CODE}\n\n${FILLER}`;
    expect(packed("How do I rotate keys?", text, { tokens: 100 })).toContain(
      `To rotate the keys, run this:\n\n${CODE}`,
    );
  });

  test("is code that does not fit, and is left out rather than cut", () => {
    const long = `\`\`\`sh\n${"acme rotate --all\n".repeat(60)}\`\`\``;
    const kept = packed("How do I rotate keys?", `Rotate the keys twice.\n\n${FILLER}\n\n${long}`, {
      tokens: 100,
    });
    expect(kept).toContain("Rotate the keys twice.");
    expect(kept).not.toContain("```");
  });

  test("is a part of long code, between blank lines, with a mark for what was left out", () => {
    const part = (name: string) => `def ${name}():\n${"    do_something()\n".repeat(20)}`;
    const code = ["start", "rotate_keys", "stop", "clean", "report"].map(part).join("\n");
    const kept = packed("What does rotate_keys do?", `${FILLER}\n\n\`\`\`py\n${code}\`\`\``, { tokens: 300 });
    expect(kept).toContain("…\n\n```py\ndef rotate_keys():\n    do_something()");
    expect(kept).toEndWith("do_something()\n```\n\n…");
    expect(kept).not.toContain("def report");
    const both = packed("How do rotate_keys and stop differ?", `\`\`\`py\n${code}\`\`\``, { tokens: 3000 });
    expect(both).toContain("    do_something()\n\ndef stop():\n");
    expect(count(both, "```")).toBe(2);
  });

  test("is the code that answers best, which may take more than the budget where there is room", () => {
    const long = `\`\`\`sh\n${"acme rotate --all\n".repeat(30)}\`\`\``;
    const text = `${FILLER}\n\n${long}`;
    expect(packed("acme rotate", text, { tokens: 100, bestPieceTokensMax: 2000 })).toContain(long);
    expect(packed("acme rotate", text, { tokens: 100, bestPieceTokensMax: 100 })).not.toContain("```");
  });

  test("is a list's item with the line that introduces the list", () => {
    const items = Array.from({ length: 30 }, (_, index) => `- option ${index} does thing number ${index}`);
    items[17] = "- `--retention` sets how long files are kept\n  - in days";
    const kept = packed("How do I set retention?", `These are the options:\n\n${items.join("\n")}`, {
      tokens: 60,
    });
    expect(kept).toContain("These are the options:");
    expect(kept).toContain("- `--retention` sets how long files are kept\n  - in days");
    expect(kept).toContain("…");
    expect(kept).not.toContain("option 3 ");
  });

  test("is a table's row with its header", () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => `| \`code_${index}\` | ${300 + index} | something |`,
    );
    const table = ["| Code | Status |", "| --- | --- |", ...rows, "| `rate_limited` | 429 |"].join("\n");
    const kept = packed("What is rate_limited?", `${FILLER}\n\n${table}`, { tokens: 70 });
    expect(kept).toContain("| Code | Status |\n| --- | --- |\n");
    expect(kept).toContain("| `rate_limited` | 429 |");
    expect(kept).not.toContain("code_3");
  });

  test("is a code span, whatever marks are in it", () => {
    const text = "Call `Foo. Bar! Baz? Qux.` when it is done. Then stop it at once.";
    expect(cutSentences(text, "en")).toEqual([
      "Call `Foo. Bar! Baz? Qux.` when it is done.",
      "Then stop it at once.",
    ]);
  });
});

describe("text is cut", () => {
  test("in languages without spaces, and without marks between sentences", () => {
    const chinese = "今天天气很好，大家都很开心。".repeat(20);
    const kept = packed("备份保留多久？", `${chinese}备份保留九十天。${chinese}`, {
      language: "zh",
      tokens: 120,
    });
    expect(kept).toContain("备份保留九十天。");
    expect(kept.length).toBeLessThan(80);
    const thai = "วันนี้อากาศดีมาก ทุกคนมีความสุข ".repeat(20);
    const found = packed("เก็บข้อมูลสำรองไว้นานเท่าไร", `${thai}เก็บข้อมูลสำรองไว้เก้าสิบวัน ${thai}`, {
      language: "th",
      tokens: 500,
    });
    expect(found).toContain("เก็บข้อมูลสำรองไว้เก้าสิบวัน");
    expect(found.length).toBeLessThan(thai.length);
  });

  test("so that nothing of it is lost or changed but white space", () => {
    const text = `# Head\n\n${FILLER}\nand more.\n\n- a\n- b\n\n  c\n\n> quoted\n>\n> twice\n\n| a |\n| - |\n| b |\n\n    code\n\nend`;
    const units = cutPieces(text, "en");
    const header = units.find(({ kind }) => kind === "table")?.header ?? "";
    const all = units
      .map(({ kind, markdown }) => (kind === "table" ? `${header}${markdown}` : markdown))
      .join("");
    expect(all.replace(/[\s>]+/g, "")).toBe(text.replace(/[\s>]+/g, ""));
  });

  test("after a sentence, not after an abbreviation", () => {
    expect(
      cutSentences(
        "It was shown by Renn et al. (2002) for Dr. King's flies. Use SSDs, e.g. NVMe, there. Then stop.",
        "en",
      ),
    ).toEqual([
      "It was shown by Renn et al. (2002) for Dr. King's flies.",
      "Use SSDs, e.g. NVMe, there.",
      "Then stop.",
    ]);
  });

  test("not within a link, whatever dots are in its path", () => {
    const sentence = "For more information, see [about_Execution_Policies](../Core/About/Policies.md).";
    expect(cutSentences(`${sentence} Then begin at once.`, "en")).toEqual([sentence, "Then begin at once."]);
  });

  test("in a language that the runtime does not know", () => {
    expect(
      cutSentences("Retention lasts 90 days. Backups are kept elsewhere.", "not a language"),
    ).toHaveLength(2);
  });

  test("where a sentence has no end, at its spaces", () => {
    const pieces = cutSentences("word ".repeat(600), "en");
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThan(500);
  });
});
