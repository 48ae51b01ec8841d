import type { Parts } from "../../../../src/running/app/parts.ts";
import type { Surroundings } from "../../../../src/running/app/surroundings.ts";
import { openParts } from "../../../../src/running/app.ts";
import { testSurroundings } from "../../../helpers/docent.ts";
import { type FakeClock, fakeClock } from "../../../helpers/fake-clock.ts";
import { temporaryDirectory } from "../../../helpers/temporary-directory.ts";
import { testLog } from "../../../helpers/test-log.ts";
import { until } from "../../../helpers/until.ts";
import type { StartEngine } from "./engines.ts";
import { type Recipients, startRecipients } from "./recipients.ts";

type Lines = ReturnType<typeof testLog>["lines"];

/** What works on a storage: a server, whose work ends with the storage and is begun again, or a command, which waits. */
export interface Worker {
  parts: Parts;
  surroundings: Surroundings;
  lines: Lines;
}

/** A storage on which a server and a command work. */
export interface Opened extends FakeClock {
  server: Worker;
  command: Worker;
  /** Those who are told of something. */
  recipients: Recipients;
  rows<Row>(statement: string): Promise<Row[]>;
  away(meanwhile: () => Promise<void>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function opened(startEngine: StartEngine): Promise<Opened> {
  const place = temporaryDirectory();
  const [engine, recipients] = await Promise.all([startEngine(), startRecipients()]);
  const { clock, advance } = fakeClock();
  const settings = { ...engine.settings, ...recipients.settings };

  async function open({ locked }: { locked: boolean }): Promise<Worker> {
    const { log, lines } = testLog();
    const surroundings = { ...testSurroundings(place.path, { settings, clock }), log };
    return { parts: await openParts(surroundings, { locked }), surroundings, lines };
  }
  const server = await open({ locked: true });
  const command = await open({ locked: false });
  return {
    server,
    command,
    recipients,
    clock,
    advance,
    rows: (statement) => engine.rows(server.parts, statement),
    away: (meanwhile) => engine.away([server.parts, command.parts], place.path, meanwhile),
    async [Symbol.asyncDispose]() {
      await command.parts.close();
      await server.parts.close();
      await recipients.close();
      await engine.close();
      place[Symbol.dispose]();
    },
  };
}

/** Work that is under way. */
export interface UnderWay {
  /** Resolves when the storage has refused some of it, however often the work was begun again. */
  refused(): Promise<void>;
  /** Waits for its end, and expects all of it to be there once. */
  ended(): Promise<void>;
}

/** Begins some work, which says when it is in its middle, and goes on once that has resolved. */
export type Work = (it: Opened, middle: () => Promise<void>) => Promise<UnderWay>;

/** Takes the storage away when all of the works are in their middle, until each of them has met that. */
export async function throughOutage(it: Opened, works: readonly Work[]): Promise<void> {
  const inTheMiddle = works.map(() => Promise.withResolvers<void>());
  const isAway = Promise.withResolvers<void>();
  const underWay: UnderWay[] = [];
  for (const [index, work] of works.entries())
    underWay.push(
      await work(it, () => {
        inTheMiddle[index]?.resolve();
        return isAway.promise;
      }),
    );
  await Promise.all(inTheMiddle.map(({ promise }) => promise));
  await it.away(async () => {
    isAway.resolve();
    await Promise.all(underWay.map(({ refused }) => refused()));
  });
  for (const { ended } of underWay) await ended();
}

/** Does something after a function, and before whoever called it goes on. */
export function followed<Given extends unknown[], Result>(
  call: (...given: Given) => Promise<Result>,
  after: (...given: Given) => Promise<void>,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    const result = await call(...given);
    await after(...given);
    return result;
  };
}

/** How often a server's work is refused before the storage comes back: it is begun again each time. */
export const REFUSALS = 3;
export const NEVER = new AbortController().signal;

export const linesOf = (lines: Lines, event: string) => lines.filter((line) => line["event"] === event);

/** Resolves when a command has said that it waits. */
export const untilWaiting = ({ lines }: Worker) =>
  until(() => linesOf(lines, "the database is away: this waits for it").length > 0);
