import { describeCalibrationStore } from "../contract/calibration-store.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeCalibrationStore("SQLite", openTestStorage);
