import { AppError } from "@docent/kernel/errors";
import { type ByteSource, createByteSource } from "../../byte-source.ts";
import { type Git, type GitProcess, lastComplaint, startGit } from "./command.ts";

const HEADER_BYTES_MAX = 200;

/** Reads blobs of a repository, one after the other, by one git that stays. */
export interface BlobReader {
  read(id: string, sizeBytes: number): Promise<Uint8Array>;
  /** Ends git when it has given what was asked for. */
  close(): Promise<void>;
}

interface Batch {
  child: GitProcess;
  output: ByteSource;
}

/** Git is started by the first blob that is asked for: where nothing has changed it is not needed. */
export function createBlobReader(git: Git, repository: string[]): BlobReader {
  let batch: Batch | undefined;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ending = batch?.child;
    batch = undefined;
    ending?.stdin.end();
    await ending?.exited;
  };
  const readNow = async (id: string, sizeBytes: number): Promise<Uint8Array> => {
    batch ??= startBatch(git, repository);
    const { child, output } = batch;
    const timer = setTimeout(() => child.kill(), git.timeoutMs);
    try {
      child.stdin.write(`${id}\n`);
      await child.stdin.flush();
      return await readAnswer(output, id, sizeBytes);
    } catch (cause) {
      child.kill();
      batch = undefined;
      git.signal.throwIfAborted();
      throw new AppError("unavailable", `git could not read the object ${id}.`, {
        hint: "Readers still see what was there before. Run this again; git fsck tells whether the repository is whole.",
        cause,
      });
    } finally {
      clearTimeout(timer);
      if (isClosed) await end();
    }
  };

  return {
    read(id, sizeBytes) {
      const turn = last.then(() => readNow(id, sizeBytes));
      last = turn.catch(() => {});
      return turn;
    },
    async close() {
      isClosed = true;
      await last;
      await end();
    },
  };
}

function startBatch(git: Git, repository: string[]): Batch {
  const child = startGit(git, [...repository, "cat-file", "--batch"]);
  // What it complains of comes with the answers too; unread, it could fill the pipe and stop git.
  lastComplaint(git, child);
  return { child, output: createByteSource(child.stdout) };
}

async function readAnswer(output: ByteSource, id: string, sizeBytes: number): Promise<Uint8Array> {
  const header = await output.line(HEADER_BYTES_MAX);
  if (header !== `${id} blob ${sizeBytes}`) throw new Error(`git answered ${header ?? "nothing"}`);
  const content = await output.take(sizeBytes);
  const end = await output.take(1);
  if (content.length < sizeBytes || end.length === 0) throw new Error("git ended in the middle of it");
  return content;
}
