import type { AskOptions } from "../../conversation/state.ts";

/** With what a question is asked. Empty: as the site says. */
export interface AskSettings {
  model: string;
  version: string;
  language: string;
  tag: string;
  pageSize: number | undefined;
  currentPath: string;
  context: string;
}

export const NO_SETTINGS: AskSettings = {
  model: "",
  version: "",
  language: "",
  tag: "",
  pageSize: undefined,
  currentPath: "",
  context: "",
};

/** The same as the message operation takes it. */
export function askOptionsOf({
  version,
  language,
  tag,
  pageSize,
  currentPath,
  context,
}: AskSettings): AskOptions {
  const filter = {
    ...(version.trim() === "" ? {} : { version: version.trim() }),
    ...(language.trim() === "" ? {} : { language: language.trim() }),
    ...(tag.trim() === "" ? {} : { tag: tag.trim() }),
  };
  return {
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(pageSize === undefined ? {} : { retrievalPageSize: pageSize }),
    ...(currentPath.trim() === "" ? {} : { currentPath: currentPath.trim() }),
    ...(context.trim() === "" ? {} : { context: [{ type: "textSelection", value: context }] }),
  };
}

/** How many of them are set. */
export const countSet = (settings: AskSettings) =>
  Object.values(settings).filter((value) => value !== "" && value !== undefined).length;
