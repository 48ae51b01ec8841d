const ENTITY = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/g;

/** Replaces HTML entities by their characters; what is no entity stays. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? text.replace(ENTITY, decodeOne) : text;
}

/** Link targets come out of Bun's parser as written: entities and backslash escapes are still in them. */
export function decodeDestination(text: string): string {
  return decodeEntities(
    text.replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) => `&#${character.charCodeAt(0)};`),
  );
}

/** Bun knows the whole table of names: as ordinary text between two letters, an entity comes back decoded. */
function decodeOne(entity: string): string {
  return Bun.markdown.render(`x${entity}x`).slice(1, -1);
}
