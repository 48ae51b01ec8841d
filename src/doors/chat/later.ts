import { SECOND_MS } from "@docent/kernel/lib/clock";
import { sleep } from "@docent/kernel/lib/sleep";
import type { ChatQuestion } from "./dialect.ts";

type Place = NonNullable<ChatQuestion["later"]>;

/** Where answers are sent to that were not there in time. */
export interface AnswerHosts {
  /** Why nothing may be sent there; undefined where it may. */
  fault(address: string): string | undefined;
  /** Returns the status. Raises where there is none. */
  send(
    address: string,
    body: unknown,
    sending: { method: Place["method"]; signal: AbortSignal },
  ): Promise<number>;
}

/** How long is waited before each further try. */
const RETRY_WAITS_MS: readonly number[] = [SECOND_MS, 5 * SECOND_MS];

/** What may pass by itself: too much at once, or a fault of the other side. */
const isPassing = (status: number) => status === 429 || status >= 500;

/** Sends an answer, a bounded number of times. Raises what went wrong at last. */
export async function sendLater(
  hosts: AnswerHosts,
  { url, method }: Place,
  body: object,
  { waitsMs = RETRY_WAITS_MS, signal }: { waitsMs?: readonly number[]; signal: AbortSignal },
): Promise<void> {
  for (const waitMs of [...waitsMs, undefined]) {
    const status = await statusOf(hosts.send(url, body, { method, signal }), waitMs === undefined);
    if (status !== undefined && status >= 200 && status <= 299) return;
    if (waitMs === undefined || (status !== undefined && !isPassing(status)))
      throw new Error(`the chat replied with status ${status}`);
    await sleep(waitMs, signal);
  }
}

/** The status that came; undefined where none did and another try follows. */
async function statusOf(sending: Promise<number>, isLast: boolean): Promise<number | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (isLast) throw error;
    return undefined;
  }
}
