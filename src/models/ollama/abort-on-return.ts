/**
 * An iterable whose consumer may leave at any moment, even while it waits for a value: leaving aborts the
 * work. A generator cannot do that, because its `return` waits for the pending value.
 */
export function abortOnReturn<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      const both = AbortSignal.any([signal, left.signal]);
      const inner = work(both);
      return {
        next: () => inner.next(),
        return: () => {
          left.abort(new DOMException("The consumer left", "AbortError"));
          return inner.return();
        },
      };
    },
  };
}
