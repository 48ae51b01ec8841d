import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(8);
const ERROR =
  "```\nremote: error: hook declined to update refs/heads/main\nremote: Lockfile /var/acme/main.lock exists\n```";
const CAUSE = "An earlier deploy was stopped before it had removed its lock.";
const FIX = "```sh\nacme locks:remove main\n```";
const LONG_CODE = `\`\`\`sh\n${"acme locks --show --verbose\n".repeat(20)}\`\`\``;
const QUESTION =
  "my push fails with remote: error: hook declined to update refs/heads/main, Lockfile /var/acme/main.lock exists";

describe("a pasted error", () => {
  test("is not quoted back alone: its cause and its fix come along", async () => {
    for (const relevance of [1, 0.6]) {
      const text = await quotedAnswer(QUESTION, [
        passage(
          1,
          `${FILLER}\n\nYou may see this when you push:\n\n${ERROR}\n\n${CAUSE} Remove it by hand:\n\n${FIX}\n\n## Other things\n\n${FILLER}`,
          { headings: ["Deploying"], relevance },
        ),
      ]);
      expect(text, `${relevance}`).toContain(CAUSE);
      expect(text, `${relevance}`).toContain("acme locks:remove main");
      expect(text.length).toBeLessThan(900);
    }
  });

  test("is known in output that has times and paths besides", async () => {
    const log =
      '```log\n[2024-11-30 09:11:36.652 -05:00] [ERR] Error in directory watcher for: "/srv/films/a-z" Acme.IoException: The configured limit (4096) of watches has been reached.\n```';
    const text = await quotedAnswer(
      "Acme.IoException: The configured limit (4096) of watches has been reached.",
      [
        passage(
          1,
          `Of a large library you can get an error such as this:\n\n${log}\n\nRaise the limit:\n\n${FIX}`,
          {
            headings: ["Watching folders"],
          },
        ),
      ],
    );
    expect(text).toContain("acme locks:remove main");
  });

  test("comes with what stands under the headings of its cause and its fix, and no further", async () => {
    const text = await quotedAnswer(QUESTION, [
      passage(
        1,
        `${ERROR}\n\n### Cause\n\n${CAUSE}\n\n### Solution\n\n${FIX}\n\n### Pushing tags\n\n${FILLER}`,
        {
          headings: ["Hook declined to update"],
        },
      ),
    ]);
    expect(text).toContain(`> **Cause**\n\n> ${CAUSE}\n\n> **Solution**\n\n${FIX}`);
    expect(text).not.toContain("weather");
  });

  test("that a sentence says is followed by the sentences after it", async () => {
    const said = "The worker stops with the message that the broker refused the connection.";
    const text = await quotedAnswer("worker stops with the message: broker refused the connection", [
      passage(1, `${FILLER}${said} Start the broker first, then raise \`broker_retries\`. ${FILLER}`),
    ]);
    expect(text).toContain(`${said} Start the broker first, then raise \`broker_retries\`.`);
  });

  test("takes no more room than other quotes, and ends with no promise of what is not there", async () => {
    const text = await quotedAnswer(QUESTION, [
      passage(1, [ERROR, CAUSE, FIX, "On other systems, run this:", LONG_CODE].join("\n\n")),
    ]);
    expect(text).toContain(FIX);
    expect(text).not.toContain("On other systems");
    expect(text.length).toBeLessThan(900);
  });

  test("of many lines is cut, and its remedy is not", async () => {
    const frames = Array.from(
      { length: 16 },
      (_, at) => `  File "/usr/lib/acme/part${at}.py", line ${at}, in run\n    step(${at})`,
    );
    const last = "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/acme.io/origin.pdf'";
    const first = "[ERROR] [acme.consumer] Error while consuming document scan.pdf:";
    const output = ["```", first, "Traceback (most recent call last):", ...frames, last, "```"].join("\n");
    const why =
      "This probably means that Acme took the same file twice. That happens with scanners that write a file several times.";
    const remedy = "Try a longer [stability delay](settings.md#delay) for such devices.";
    const question = `My mother's old scanner writes letters and bills slowly over wifi to the share in the cellar, and half the time I get this: ${first} ${last} what can I do`;
    for (const relevance of [1, 0.6]) {
      const text = await quotedAnswer(question, [
        passage(
          1,
          `You might find messages like these in the log files:\n\n${output}\n\n${why} ${remedy}\n\n## Other things\n\n${FILLER}`,
          { headings: ["Consumer fails"], relevance },
        ),
      ]);
      expect(text, `${relevance}`).toContain(`${first}\n`);
      expect(text, `${relevance}`).toContain(`\n…\n${last}\n\`\`\``);
      expect(text, `${relevance}`).toContain(remedy);
      expect(text, `${relevance}`).not.toContain("part9.py");
      expect(text, `${relevance}`).not.toContain("weather");
    }
  });

  test("that a long sentence leads to leaves room for its remedy", async () => {
    const lead = `On some machines, ${"with older disks and slow networks, ".repeat(10)}you may see this when you push:`;
    const remedy = `Stop the other deploy first, ${"wait until it has written its last line, ".repeat(4)}and remove its lock by hand.`;
    const text = await quotedAnswer(QUESTION, [
      passage(1, `${lead}\n\n${ERROR}\n\n${remedy}\n\n## Other things\n\n${FILLER}`, {
        headings: ["Deploying"],
      }),
    ]);
    expect(text).toContain(remedy);
  });

  test("stays whole where nothing is said of it", async () => {
    const output = `\`\`\`\n${Array.from({ length: 14 }, (_, at) => `remote: error: hook number ${at} declined`).join("\n")}\n\`\`\``;
    const text = await quotedAnswer("remote: error: hook number 3 declined", [
      passage(1, `You may see this when you push:\n\n${output}`, { headings: ["Deploying"] }),
    ]);
    expect(text).toContain("hook number 9 declined");
  });
});
