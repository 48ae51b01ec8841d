import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type LocalKind, type Place, type PlaceOptions, readPlace } from "./place.ts";

/** The place that a person at this machine means. `beforeLook` hears each path before it is looked at. */
export function readPlaceHere(
  text: string,
  options: Omit<PlaceOptions, "localKind">,
  beforeLook: (path: string) => void = () => {},
): Place {
  const look = (path: string) => {
    beforeLook(path);
    return localKind(path);
  };
  if (!isAddress(text)) beforeLook(text);
  return readPlace(isAddress(text) ? text : realPath(text), { ...options, localKind: look });
}

/** Whether a place is reached through the network, as far as a person can mean it. */
const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

/** The place itself, however it was named: a run of the same folder is a run of the same source. */
function realPath(text: string): string {
  try {
    return realpathSync(text);
  } catch {
    return resolve(text);
  }
}

function localKind(path: string): LocalKind {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  return found.isDirectory() ? "folder" : found.isFile() ? "file" : "nothing";
}
