import type { SiteView } from "../../site-view.ts";

/** How a site's widget looks and what it says. */
export type WidgetLook = SiteView["settings"]["widget"];

/** Whether it is a colour as the settings have it. */
export const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);
