/** What Bun has recorded and is kept: hashes, each of which stays the same unless what it stands for changes. */
export interface Order {
  functions: string[];
  /** The modules, and what they name. */
  modules: string[];
}

/** Reads an order. What else Bun records, of strings and other constants, is ten times as long and saves little. */
export function readOrder(text: string): Order {
  const lines = text.split("\n");
  return {
    functions: lines.filter((line) => line.startsWith("F ")),
    modules: lines.filter((line) => /^[MN] /.test(line)),
  };
}
