import { fileURLToPath } from "node:url";
import { findBrokenLinks } from "./find-broken-links.ts";

/** Fails if a link of the built site leads nowhere. VitePress checks pages, but not anchors. */
const broken = findBrokenLinks(fileURLToPath(new URL("../site/.vitepress/dist", import.meta.url)));
for (const link of broken) process.stderr.write(`Broken link: ${link}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
