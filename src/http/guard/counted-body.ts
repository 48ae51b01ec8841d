import type { Asked } from "../operation.ts";
import type { Admitted } from "./gate.ts";

/** Reads a body, and counts the request to the reader whom it names: one that is wrong counts as well. */
export async function countedBody<Body>(
  { body, countReader }: Pick<Asked<Admitted, Body, never>, "body" | "countReader">,
  signal: AbortSignal,
  fpIn: (body: Body) => string,
): Promise<Body> {
  const read = await body(signal).catch(async (error) => {
    await countReader();
    throw error;
  });
  await countReader(fpIn(read));
  return read;
}
