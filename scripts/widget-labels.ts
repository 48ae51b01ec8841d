import { LABEL_GROUPS } from "../src/faces/widget/labels.ts";

const HEADINGS: Record<keyof typeof LABEL_GROUPS, string> = {
  FRAME: "Labels of the button and the panel",
  SEARCH: "Labels of search",
  ANSWER: "Labels of a conversation",
  ACTIONS: "Labels of actions",
  TROUBLE: "Labels of error messages",
};

/** The tables of the widget's labels in docs/widget.md. */
export function widgetLabels(): string {
  return Object.entries(LABEL_GROUPS)
    .map(([group, labels]) => {
      const rows = Object.entries(labels).map(([name, text]) => `| \`${name}\` | ${text} |`);
      return [
        `### ${HEADINGS[group as keyof typeof LABEL_GROUPS]}`,
        ["| Label | Text |", "| --- | --- |", ...rows].join("\n"),
      ].join("\n\n");
    })
    .join("\n\n");
}
