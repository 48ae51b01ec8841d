import { describe, expect, test } from "bun:test";
import { hasPgbouncer } from "../../helpers/pgbouncer.ts";
import { canStartPostgres } from "../../helpers/postgres.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { until } from "../../helpers/until.ts";
import { engines, pooled } from "../../running/app/outages/engines.ts";
import { startChat } from "./chat-under-test.ts";

const TOLD_EARLY = "How do I install Acme on Linux, as Alpha asks?";
const TOLD_LATE = "How do I install Acme on Linux, as Omega asks?";
const ANSWER = "Run the installer [1].";

const ALL = [
  ...engines(),
  ...(canStartPostgres && hasPgbouncer ? [["PgBouncer", pooled] as const] : []),
].filter(([name]) => name !== "SQLite" || !isShared);

describe.each(ALL)("answers to a chat that %s leaves in their middle", (_name, startEngine) => {
  test("arrive once each, whole where it is back by their end, and are kept as they arrived", async () => {
    const engine = await startEngine();
    const under = await startChat({ ...engine.settings, model_slots: "2" });
    const { docent, ollama, chat } = under;
    const { parts } = docent.app;
    const ends = { early: Promise.withResolvers<void>(), late: Promise.withResolvers<void>() };
    const held = new Set<string>();
    ollama.script(({ body }) => {
      const asked = JSON.stringify(body.messages);
      const when = asked.includes("Alpha") ? "early" : "late";
      const beforeToken = () => {
        held.add(when);
        return ends[when].promise;
      };
      return { text: ANSWER, beforeToken };
    });
    const replies = await Promise.all([
      under.slack(TOLD_EARLY, { channel_id: "A" }),
      under.slack(TOLD_LATE, { channel_id: "Z" }),
    ]);
    expect(replies.map(({ body }) => body.text)).toEqual(["Looking it up …", "Looking it up …"]);
    await until(() => held.size === 2);

    await engine.away([parts], docent.data, async () => {
      ends.early.resolve();
      await chat.until(1);
    });
    ends.late.resolve();
    await chat.until(2);
    const turns = () =>
      engine.rows<{ outcome: string | null }>(parts, "SELECT outcome FROM turns ORDER BY question");
    await until(async () => (await turns()).every(({ outcome }) => outcome !== null));
    expect(await turns()).toEqual([{ outcome: "failed" }, { outcome: "answered" }]);
    const [early, late] = chat.received.map(({ body }) => body.text ?? "");
    expect(early).toContain("Docent cannot store or read anything at the moment.");
    expect(late).toContain("Run the installer");
    expect(late).not.toContain("cannot");
    await docent.close();
    expect(chat.received).toHaveLength(2);
    await Promise.all([chat.close(), ollama.stop(), engine.close()]);
  });
});
