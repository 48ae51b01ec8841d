/**
 * The functions in an order that Bun has recorded, or that is kept here: a hash of each, which does not change unless the
 * function does. What else it records, of strings and other constants, is ten times as long and saves little more.
 */
export const functionsIn = (order: string): string[] =>
  order.split("\n").filter((line) => line.startsWith("F "));
