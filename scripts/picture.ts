// `npm run picture`: the terminal session that the README shows, played anew.
import { writeFileSync } from "node:fs";
import { playSession } from "../docs/picture/play-session.ts";
import { renderTerminal } from "../docs/picture/render-terminal.ts";

writeFileSync("docs/picture/drift.svg", renderTerminal("lockflow", await playSession()));
