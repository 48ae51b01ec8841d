import "./reader-site.css";
import { copyMathsAsTex, prepareCode, prepareHeadingLinks, prepareImages } from "./article.ts";
import { prepareChoices, prepareThemes } from "./choices.ts";
import { followOutline, prepareMenu } from "./navigation.ts";
import { prepareSearch } from "./search/search.ts";

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
