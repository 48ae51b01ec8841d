import { element } from "../dom/element.ts";

/** A picture is worth enlarging when there is at least so much more of it than is shown. */
const LARGER_MIN = 1.2;

/** Shows pictures that are larger than the text is wide over the whole page: by a click, Enter or the space bar. */
export function prepareImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>("article img")) {
    // A picture in a link leads where its author wants it to.
    if (image.closest("a")) continue;
    const offer = () => {
      if (image.naturalWidth >= image.clientWidth * LARGER_MIN) makeEnlargeable(image);
    };
    if (image.complete) offer();
    else image.addEventListener("load", offer, { once: true });
  }
}

function makeEnlargeable(image: HTMLImageElement): void {
  image.classList.add("enlargeable");
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-haspopup", "dialog");
  if (image.alt === "") image.setAttribute("aria-label", nameOf(image));
  image.addEventListener("click", () => enlarge(image));
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    enlarge(image);
  });
}

function enlarge(image: HTMLImageElement): void {
  const name = image.alt || nameOf(image);
  const large = element("img", { src: image.currentSrc, alt: image.alt });
  const dialog = element("dialog", { class: "enlarged", "aria-label": name }, large);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** What its file is called, for a picture that nobody described. */
const nameOf = ({ currentSrc }: HTMLImageElement) => {
  const file = new URL(currentSrc).pathname.split("/").at(-1) ?? "";
  return file.replace(/\.\w+$/, "");
};
