import { AppError } from "../../../errors.ts";
import { formOf, openArchive, tarBytes } from "./open.ts";
import { readTar } from "./tar.ts";
import { readZipDirectory } from "./zip-directory.ts";

/** As far as the first entry, which is all that is looked at. */
const TOTAL_BYTES_MAX = 1_000_000_000;

/** Raises what is wrong with an archive, as far as a glance tells. `name` is what messages call it. */
export async function checkArchive(file: string, name: string): Promise<void> {
  const handle = await openArchive(file, name);
  try {
    const form = await formOf(handle, name);
    const hasEntries =
      form === "zip"
        ? (await readZipDirectory(handle)).length > 0
        : await hasFirst(
            readTar(
              tarBytes(handle, form, {
                totalBytesMax: TOTAL_BYTES_MAX,
                signal: new AbortController().signal,
              }),
            ),
          );
    if (!hasEntries) throw new AppError("invalid_request", `${name} is an archive with nothing in it.`);
  } finally {
    await handle.close();
  }
}

async function hasFirst(items: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of items) return true;
  return false;
}
