import type { ResponderEvent } from "@docent/answering/answer/responder";
import type { OllamaServer } from "../pool/pool.ts";
import type { AdmissionQueue, Slot, WaitRequest } from "../queue/queue.ts";

/** Waits for a server, yielding the position in line whenever it changes. */
export function waitInLine(
  queue: AdmissionQueue<OllamaServer>,
  wanted: WaitRequest<OllamaServer>,
): AsyncGenerator<ResponderEvent, Slot<OllamaServer>, undefined> {
  return untilDone<ResponderEvent, Slot<OllamaServer>>(
    (tell) => queue.acquire({ ...wanted, onPosition: (position) => tell({ type: "waiting", position }) }),
    (slot) => slot.release(),
  );
}

/**
 * Yields the news of some work until it is done, then returns its result. News that nobody has read yet is
 * replaced by newer news. A consumer who leaves must end the work by its signal; a result that comes
 * nevertheless goes to `discard`.
 */
async function* untilDone<News, Result>(
  start: (tell: (news: News) => void) => Promise<Result>,
  discard: (result: Result) => void,
): AsyncGenerator<News, Result, undefined> {
  let latest: { news: News } | undefined;
  let wake = () => {};
  let handedOver = false;
  const work = start((news) => {
    latest = { news };
    wake();
  });
  const done = work.then(
    () => true,
    () => true,
  );
  try {
    while (true) {
      const told = new Promise<boolean>((resolve) => {
        wake = () => resolve(false);
        if (latest !== undefined) resolve(false);
      });
      // Checked first: finished work needs no more news.
      if (await Promise.race([done, told])) break;
      const { news } = latest ?? {};
      latest = undefined;
      if (news !== undefined) yield news;
    }
    const result = await work;
    handedOver = true;
    return result;
  } finally {
    if (!handedOver) work.then(discard, () => {});
  }
}
