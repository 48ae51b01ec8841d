/** Closes what offers versions and languages where people expect it: beside it, with Escape, and when another is opened. */
export function prepareChoices(): void {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("details.choice")];
  if (all.length === 0) return;
  const closeAllBut = (kept: Node | null) => {
    for (const each of all) if (kept === null || !each.contains(kept)) each.open = false;
  };
  document.addEventListener("click", ({ target }) => closeAllBut(target instanceof Node ? target : null));
  document.addEventListener("keydown", ({ key }) => {
    const open = all.find((each) => each.open);
    if (key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary")?.focus();
  });
}
