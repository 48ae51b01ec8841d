import { describeUploadStore } from "../contract/upload-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";

// On SQLite, archives are files of the data directory.
if (hasPostgres)
  describeUploadStore("PostgreSQL", async () => {
    const { uploads, ...stores } = await openTestPostgres();
    if (uploads === undefined) throw new Error("there is no store of uploads");
    return { ...stores, uploads };
  });
