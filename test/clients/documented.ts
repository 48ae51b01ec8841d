import { join } from "node:path";
import type { Served } from "./served.ts";

/** The one block of code in that language that a page of the documentation shows. */
export async function codeOf(page: string, language: string): Promise<string> {
  const text = await Bun.file(join(import.meta.dir, "../../docs", page)).text();
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  const [block] = blocks;
  if (block?.[1] === undefined || blocks.length > 1)
    throw new Error(`${page} shows ${blocks.length} blocks of ${language}`);
  return block[1];
}

/** The same as a reader would run it: with the address and the keys of their own server. */
export const readied = (code: string, { url, keys }: Served) =>
  code
    .replaceAll("http://127.0.0.1:4747", url)
    .replaceAll("docent_dsc_…", keys.assistant)
    .replaceAll("docent_adm_…", keys.organization);
