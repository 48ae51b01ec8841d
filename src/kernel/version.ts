import manifest from "../../package.json" with { type: "json" };

/** Set by the build. */
declare const DOCENT_COMMIT: string | undefined;

/** The version of this program alone, as packages name it. */
export const VERSION_NUMBER = manifest.version;

/** The version of this program and the commit it was built from. */
export const VERSION = `${manifest.version} (${typeof DOCENT_COMMIT === "undefined" ? "from source" : DOCENT_COMMIT})`;
