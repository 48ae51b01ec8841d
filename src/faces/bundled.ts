import type { WebFile } from "@docent/doors/assets";

/** The browser code, bundled on the spot. The build puts a module in the place of this one that carries the bundles. */
export async function readBundled(): Promise<WebFile[]> {
  const { bundleWeb } = await import("./bundle.ts");
  return bundleWeb();
}
