import { once } from "../../base/once.ts";
import { bundlePage } from "./bundle-page.ts";
import type { PageAssets } from "./render-page.ts";

/** The script and the style of the page. A build puts them here as text; from source they are bundled when a page is rendered. */
export const pageAssets: () => PageAssets = once(bundlePage);
