import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is deleted when it goes out of scope. */
export interface TemporaryFolder extends Disposable {
  path: string;
}

/**
 * The temporary folders of a command. They hold conversations: nobody else may read them, and none may stay where the
 * process ends before the command does, as when nobody reads its output any more.
 */
export function createTemporaryFolders() {
  const paths = new Set<string>();
  let isOver = false;

  function remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
    paths.delete(path);
  }

  return {
    make(): TemporaryFolder {
      if (isOver) throw new Error("The command is over: it makes no more folders.");
      const path = mkdtempSync(join(tmpdir(), "docent-"));
      paths.add(path);
      return { path, [Symbol.dispose]: () => remove(path) };
    },
    /** Deletes those that are left; no other is made from then on. */
    end(): void {
      isOver = true;
      for (const path of paths) remove(path);
    },
  };
}
