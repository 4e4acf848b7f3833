// `npm run picture`: the terminal session that the README shows, played anew, and the rooms that ARCHITECTURE.md shows; and,
// where there is a browser, the page that docs/report.md shows.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { drawRooms, findRooms, replaceDrawing } from "../docs/picture/draw-rooms.ts";
import { playSession } from "../docs/picture/play-session.ts";
import { renderTerminal } from "../docs/picture/render-terminal.ts";
import { takeScreenshot } from "../docs/picture/take-screenshot.ts";
import { readImports } from "../test/support/source-facts.ts";

const architecture = readFileSync("ARCHITECTURE.md", "utf8");
writeFileSync("ARCHITECTURE.md", replaceDrawing(architecture, drawRooms(findRooms(readImports()))));
writeFileSync("docs/picture/drift.svg", renderTerminal("lockflow", await playSession()));

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (existsSync(chromium)) {
  const { image, digest } = await takeScreenshot(chromium);
  writeFileSync("docs/picture/report.png", image);
  // By which a test says when it is due again: the bytes of the picture are those of the fonts here.
  writeFileSync("docs/picture/report.sha256", `${digest}\n`);
}
