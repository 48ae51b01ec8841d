import { AppError } from "../../../errors.ts";
import { formOf, openArchive, tarBytes } from "./open.ts";
import { readTar } from "./tar.ts";
import { hasZipEntries } from "./zip-directory.ts";

/** The first entry is all that is looked at, and what is said of it before takes less. */
const GLANCE_BYTES_MAX = 10_000_000;

/** Raises what is wrong with an archive, as far as a glance tells. `name` is what messages call it. */
export async function checkArchive(file: string, name: string): Promise<void> {
  const handle = await openArchive(file, name);
  try {
    const form = await formOf(handle, name);
    const hasEntries =
      form === "zip"
        ? await hasZipEntries(handle)
        : await hasFirst(
            readTar(
              tarBytes(handle, form, {
                totalBytesMax: GLANCE_BYTES_MAX,
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
