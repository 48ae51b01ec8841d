import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/print.css";
import { chosenTheme, showTheme } from "./kit/overlay/theme-menu.tsx";
import { guardReturns } from "./router.ts";

showTheme(chosenTheme());
// Where a page was left, it is shown again when what was on it is there: the browser would do it before.
history.scrollRestoration = "manual";
guardReturns();
const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
