import type { ListEntry } from "../../markdown/asciidoc/asciidoc.ts";
import type { MenuEntry } from "../../pages/navigation/menu.ts";
import { decodePercent } from "../../text/decode-percent.ts";
import type { Component } from "./components.ts";
import { placeOf, type Site } from "./page.ts";

/** The menu of a site: that of its only component, or each below its component's title. */
export async function menuOf(site: Site, components: readonly Component[]): Promise<MenuEntry[]> {
  const menus: MenuEntry[] = [];
  for (const component of components) {
    const children = await menuOfComponent(site, component);
    if (children.length > 0) menus.push({ label: component.title, children });
  }
  const [only, ...others] = menus;
  return only !== undefined && others.length === 0 ? only.children : menus;
}

async function menuOfComponent(site: Site, component: Component): Promise<MenuEntry[]> {
  const entries: MenuEntry[] = [];
  for (const location of component.nav) {
    const source = await site.tree.text(location);
    if (source === undefined) continue;
    const below = component.root === "" ? location : location.slice(component.root.length + 1);
    const [modules, module = "ROOT", ...rest] = below.split("/");
    const isModule = modules === "modules";
    const origin = {
      location,
      component,
      module: isModule ? module : "ROOT",
      relative: isModule ? rest.join("/") : below,
      family: "nav",
    };
    const { lists } = await site.asciidoc.lists(source, placeOf(site, origin));
    for (const list of lists) {
      const { children, ...titled } = entryOf(list);
      if (list.isTitled) entries.push({ ...titled, children });
      else entries.push(...children);
    }
  }
  return entries;
}

function entryOf({ label, href, children }: ListEntry): MenuEntry {
  const isWithin = href?.startsWith("/") === true;
  return {
    label,
    ...(isWithin ? { path: decodePercent(href.slice(1).replace(/#.*$/, "")) } : {}),
    ...(href !== undefined && /^https?:/.test(href) ? { href } : {}),
    children: children.map(entryOf),
  };
}
