import { z } from "zod";
import { describedAs } from "./described-input.ts";

/** More faults than these tell nobody more, and each of a million would cost time and room in the reply. */
const FAULTS_MAX = 20;

/** A list of items that each fit the schema. After so many faults it is not looked at any further. */
export function listOf<T>(item: z.ZodType<T>) {
  const list = z.array(z.unknown()).transform((items, context): T[] => {
    const fitting: T[] = [];
    for (const [index, each] of items.entries()) {
      const result = item.safeParse(each);
      if (result.success) fitting.push(result.data);
      for (const { path, message } of result.error?.issues ?? []) {
        context.addIssue({ code: "custom", path: [index, ...path], message });
      }
      if (context.issues.length >= FAULTS_MAX) break;
    }
    return fitting;
  });
  return describedAs(list, z.array(item));
}
