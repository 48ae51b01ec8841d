import { menuOfTree, type PlacedPage } from "../generators/wiki-writing/wiki-writing.ts";
import type { ServerMenuEntry } from "./connector.ts";

/** Pages as the tree of their titles, in the order of these. The path of each is its address. */
export const menuOfTitles = (pages: readonly PlacedPage[]): ServerMenuEntry[] => entriesOf(menuOfTree(pages));

/** A menu whose paths are addresses. */
export const entriesOf = (menu: ReturnType<typeof menuOfTree>): ServerMenuEntry[] =>
  menu.map(({ label, path, children }) => ({ label, address: path, children: entriesOf(children) }));
