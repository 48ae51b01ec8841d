import { join } from "node:path";
import { NotHere, runBounded } from "./bounded.ts";

/**
 * Makes a Python environment with the packages that a file of requirements pins. It stores its own path, so
 * it is made in its final place. Raises NotHere where it is not available.
 */
export async function makePythonEnvironment(
  folder: string,
  requirements: string,
  { untilMs, options = [] }: { untilMs: number; options?: readonly string[] },
): Promise<void> {
  const python = ["python3", "python"].find((name) => Bun.which(name) !== null);
  if (python === undefined) throw new NotHere("there is no Python on the PATH");
  await runBounded([python, "-m", "venv", folder], { untilMs });
  const pip = [join(folder, "bin", "python"), "-m", "pip", "install", "--quiet"];
  await runBounded(
    [...pip, "--disable-pip-version-check", "--only-binary=:all:", ...options, "-r", requirements],
    {
      untilMs,
    },
  );
}
