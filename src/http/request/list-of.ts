import { z } from "zod";
import { FAULTS_MAX } from "../../lib/schema-faults.ts";
import { describedAs } from "./described-input.ts";

/**
 * A list of items that each fit the schema, and no more of them than are said. After so many faults it is not looked at
 * any further.
 */
export function listOf<T>(item: z.ZodType<T>, itemsMax: number) {
  const all = z.array(z.unknown()).max(itemsMax, `holds more than ${itemsMax} items`);
  const list = all.transform((items, context): T[] => {
    const fitting: T[] = [];
    for (const [index, each] of items.entries()) {
      const result = item.safeParse(each);
      if (result.success) fitting.push(result.data);
      for (const { path, message } of result.error?.issues.slice(0, FAULTS_MAX) ?? []) {
        context.addIssue({ code: "custom", path: [index, ...path], message });
      }
      if (context.issues.length >= FAULTS_MAX) break;
    }
    return fitting;
  });
  return describedAs(list, z.array(item).max(itemsMax));
}
