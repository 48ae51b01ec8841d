import { describeCalibrationStore } from "../contract/calibration-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeCalibrationStore("SQLite", openTestStorage);
if (hasPostgres) describeCalibrationStore("PostgreSQL", openTestPostgres);
