// `npm run picture`: plays the terminal session of the README again and, if a browser is installed, takes the picture of
// the page in docs/report.md.
import { existsSync, writeFileSync } from "node:fs";
import { playSession } from "../docs/picture/play-session.ts";
import { renderTerminal } from "../docs/picture/render-terminal.ts";
import { takeScreenshot } from "../docs/picture/take-screenshot.ts";

writeFileSync("docs/picture/drift.svg", renderTerminal("lockflow", await playSession()));

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (existsSync(chromium)) {
  const { image, digest } = await takeScreenshot(chromium);
  writeFileSync("docs/picture/report.png", image);
  // A test compares this digest: the bytes of the picture depend on the fonts of the machine.
  writeFileSync("docs/picture/report.sha256", `${digest}\n`);
}
