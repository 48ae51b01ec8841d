import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory of its own for one test; gone when the test is. */
export interface TemporaryDirectory extends Disposable {
  path: string;
}

/** Use it with `using`. */
export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), "docent-test-"));
  return {
    path,
    [Symbol.dispose]() {
      chmodSync(path, 0o700);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
