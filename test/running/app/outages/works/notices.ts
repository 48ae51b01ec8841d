import { expect } from "bun:test";
import { HOUR_MS } from "../../../../../src/kernel/lib/clock.ts";
import { openSeal } from "../../../../../src/running/app/seal.ts";
import { openNoticeWays } from "../../../../../src/running/delivery/delivery.ts";
import { watchAndTell } from "../../../../../src/running/upkeep/notices.ts";
import { createNotices } from "../../../../../src/sites/notices/notices.ts";
import { testLog } from "../../../../helpers/test-log.ts";
import { until } from "../../../../helpers/until.ts";
import { linesOf, REFUSALS, type Work } from "../half-way.ts";
import { addSite } from "./site.ts";

const SUBJECTS = ["subject 1", "subject 2", "subject 3"];
/** What is looked at once an hour, and so not while the test lasts. */
const KIND = "answer-stale";

/** A server that tells somebody of three things: the first was taken, and the second is on its way. */
export const noticesOfServer =
  (channel: "mail" | "chat" | "discord"): Work =>
  async (it, middle) => {
    const site = await addSite(it, `told-by-${channel}`);
    const { recipients, server } = it;
    const { parts, surroundings } = server;
    const address = recipients.channels.find((each) => each.channel === channel)?.address ?? "";
    const { log, lines } = testLog();
    const notices = createNotices({
      store: parts.storage.people.notices,
      ways: openNoticeWays(surroundings.config, openSeal(surroundings)),
      isSealed: false,
      clock: it.clock,
      ids: parts.ids,
      log,
    });
    const { id } = await notices.add({
      organizationId: undefined,
      name: channel,
      channel,
      address,
      kinds: [KIND],
    });
    const conditions = SUBJECTS.map(
      (title) => ({ subject: title, state: "bad", title, text: "why" }) as const,
    );
    await notices.note({ kind: KIND, site }, conditions);
    let arrived = 0;
    recipients.onArrival(async () => {
      arrived += 1;
      if (arrived === 2) await middle();
    });
    let rounds = 0;
    const storage: typeof parts.storage = {
      ...parts.storage,
      takeOn(name) {
        rounds += 1;
        return parts.storage.takeOn(name);
      },
    };
    const work = watchAndTell({
      parts: { ...parts, notices, storage },
      directory: surroundings.config.data,
      publicUrl: "http://docent.example",
      clock: it.clock,
      log,
      lookMs: 5,
      slowLookMs: HOUR_MS,
    });
    return {
      refused: () =>
        until(() => linesOf(lines, "not all notices could be made, sent and noted").length >= REFUSALS),
      async ended() {
        const isOver = async () => (await notices.list()).every(({ waiting }) => waiting === 0);
        await until(isOver);
        // What was not noted as taken would be sent again by then.
        it.advance(HOUR_MS);
        const enough = rounds + REFUSALS;
        await until(() => rounds > enough);
        await work.close();
        expect(recipients.received()[channel]?.toSorted()).toEqual(SUBJECTS);
        expect(await notices.list()).toMatchObject([{ id, waiting: 0, givenUp: 0, last: { isSent: true } }]);
        expect(linesOf(lines, "a notice was sent").map(({ tries }) => tries)).toEqual([1, 1, 1]);
        expect(linesOf(lines, "a notice could not be sent")).toEqual([]);
      },
    };
  };
