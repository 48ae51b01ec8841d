import type { Driver } from "./driver.ts";
import { findFirefox, startFirefox } from "./firefox.ts";
import { findWebKit, startWebKit } from "./webkit.ts";

export interface OtherBrowser {
  name: string;
  /** How Debian's packages are called that have it. */
  packages: string;
  isInstalled: boolean;
  start(): Promise<Driver>;
}

export const OTHER_BROWSERS: readonly OtherBrowser[] = [
  {
    name: "Firefox",
    packages: "firefox-esr",
    isInstalled: findFirefox() !== undefined,
    start: startFirefox,
  },
  {
    name: "WebKit",
    packages: "webkit2gtk-driver xvfb",
    isInstalled: findWebKit() !== undefined,
    start: startWebKit,
  },
];
