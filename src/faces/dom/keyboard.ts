/** Whether the reader is writing: there, a key belongs to what is written. */
export function isEditing(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** While a character is put together, keys choose it. Safari says so with a code alone. */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;
