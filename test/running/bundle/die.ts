// Installs a bundle below a folder, and is killed at a step: the words are the bundle, the folder, the step, and an Ollama
// that models are pushed to, where there is one.
import { join } from "node:path";
import { installBundleHere } from "../../../src/running/app/bundle.ts";
import { installBundle, modelsFolder, openBundle } from "../../../src/running/bundle/bundle.ts";
import { restore } from "../../../src/storage/open-storage.ts";
import { testSurroundings } from "../../helpers/docent.ts";

const [file = "", folder = "", step = "", ollama] = process.argv.slice(2);
const { signal } = new AbortController();
const die = () => process.kill(process.pid, "SIGKILL");
const bundle = await openBundle(file);
const [data, binary, models] = ["data", "bin/docent", "models"].map((name) => join(folder, name));
if (data === undefined || binary === undefined || models === undefined) throw new Error("no folder");
const surroundings = testSurroundings(data, ollama === undefined ? {} : { ollama });
const onStep = (says: string) => {
  if (says.replace(binary, "the program").startsWith(step)) die();
};
if (step !== "done")
  await installBundleHere(surroundings, bundle, {
    binary,
    keepsDatabase: false,
    modelsFolder: ollama === undefined ? models : undefined,
    signedBy: undefined,
    takesOlder: false,
    signal,
    onStep,
  });
else
  await installBundle(bundle, {
    folder: join(data, "bundle"),
    binary,
    database: {
      files: ["docent.db", "docent.db-wal", "docent.db-shm"].map((name) => join(data, name)),
      restore: (from) => restore(data, from, surroundings.clock(), {}),
    },
    models: { ...modelsFolder(models), settle: async () => void die() },
    signedBy: undefined,
    takesOlder: false,
    signal,
    onStep,
  });
