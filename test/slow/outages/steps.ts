import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workplace } from "../../helpers/program.ts";

/** Waits until something is so, as long as the test may run. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(50);
}

export async function ran(place: Workplace, ...words: string[]): Promise<void> {
  const { code, err } = await place.run(...words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
}

export function writePages({ folder }: Workplace, name: string, count: number): void {
  mkdirSync(join(folder, name), { recursive: true });
  for (let page = 0; page < count; page++) {
    const body = `The zebra of page ${page} eats grass in the morning, and sleeps below the old tree of ${name}. `;
    writeFileSync(join(folder, name, `page-${page}.md`), `# Page ${page}\n\n${body.repeat(12)}\n`);
  }
}
