/** What a store gives in parts. */
export const isInParts = (result: unknown): result is AsyncIterable<unknown> =>
  typeof result === "object" && result !== null && Symbol.asyncIterator in result;

/** The same parts. What fails on the way to one of them is told as `explain` has it, as where there is one result alone. */
export async function* eachPart<Part>(
  parts: AsyncIterable<Part>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (error) {
    throw explain(error);
  }
}
