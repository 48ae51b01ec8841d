/** An attribute from a configuration; false and null take one away. */
export type AttributeValue = string | false | null;

/** Attributes as a configuration gives them: false and null take one away. */
export function attributesIn(
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, AttributeValue>> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, AttributeValue][] => {
      if (value === null || value === false) return [[name, value]];
      if (value === true) return [[name, ""]];
      return typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [];
    }),
  );
}
