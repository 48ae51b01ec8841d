import { describe, expect, test } from "bun:test";
import { quotedAnswer } from "../helpers/quoted-answer.ts";
import { numberedPassage as passage } from "../helpers/responder-request.ts";

const FILLER = "The weather was fine on that day and nobody thought of anything else at all. ".repeat(8);
const ERROR =
  "```\nremote: error: hook declined to update refs/heads/main\nremote: Lockfile /var/acme/main.lock exists\n```";
const CAUSE = "An earlier deploy was stopped before it had removed its lock.";
const FIX = "```sh\nacme locks:remove main\n```";
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

  test("takes no more room than other quotes", async () => {
    const text = await quotedAnswer(QUESTION, [
      passage(1, `${ERROR}\n\n${CAUSE}\n\n${`${FILLER}\n\n`.repeat(5)}`),
    ]);
    expect(text).toContain(CAUSE);
    expect(text.length).toBeLessThan(900);
  });
});
