import { SECOND_MS } from "@docent/kernel/lib/clock";
import { whileHeld } from "@docent/kernel/lib/lease";
import { sleep } from "@docent/kernel/lib/sleep";
import type { AloneWork, Storage } from "@docent/storage/storage";

const LOOK_MS = 30 * SECOND_MS;

export type TakeOn = Storage["takeOn"];
type Work = (signal: AbortSignal) => Promise<void>;

/** The same work, which one server does at a time: a round while another one does it is left out. */
export const alone =
  (takeOn: TakeOn, name: AloneWork, work: Work): Work =>
  async (signal) => {
    const lease = await takeOn(name);
    if (lease !== undefined) await whileHeld(lease, signal, work);
  };

/** The same work, which waits for its turn: what another server has done meanwhile need not be done again. */
export const inTurn =
  (takeOn: TakeOn, name: AloneWork, work: Work, lookMs = LOOK_MS): Work =>
  async (signal) => {
    for (;;) {
      const lease = await takeOn(name);
      if (lease !== undefined) return whileHeld(lease, signal, work);
      await sleep(lookMs, signal);
    }
  };
