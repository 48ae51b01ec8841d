interface TextStreamOptions {
  /** Cuts the stream off. */
  signal: AbortSignal;
  onEnd: () => void;
}

/** Texts as the body of a reply. Each is made when there is room for it: no more than one waits for a slow reader. */
export function textStream(
  texts: AsyncGenerator<string>,
  { signal, onEnd }: TextStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let hasEnded = false;
  let cutOff = () => {};

  async function end(): Promise<void> {
    if (hasEnded) return;
    hasEnded = true;
    signal.removeEventListener("abort", cutOff);
    onEnd();
    await texts.return(undefined);
  }

  return new ReadableStream({
    start(controller) {
      cutOff = () => {
        controller.error(signal.reason);
        void end();
      };
      signal.addEventListener("abort", cutOff, { once: true });
      if (signal.aborted) cutOff();
    },
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (hasEnded) return;
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (error) {
        // An error and no end, so that nobody takes what came for the whole.
        if (!hasEnded) controller.error(error);
      }
      await end();
    },
    cancel: end,
  });
}
