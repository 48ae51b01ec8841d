import "./reader-site.css";
import { prepareChoices, prepareThemes } from "./choices.ts";
import { prepareImages } from "./images.ts";
import { copyMathsAsTex } from "./maths.ts";
import { prepareMenu } from "./menu.ts";
import { followOutline } from "./outline.ts";
import { prepareSearch } from "./search/search.ts";
import { prepareCode, prepareHeadingLinks } from "./text.ts";

// Every page works without this. A part that is not in the page does nothing.
const { copy = "", copied = "" } = document.body.dataset;
prepareThemes();
prepareMenu();
prepareChoices();
prepareSearch();
prepareHeadingLinks(copied);
prepareCode({ copy, copied });
prepareImages();
copyMathsAsTex();
followOutline();
