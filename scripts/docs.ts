// `npm run docs`: generates the API reference from the TSDoc of the exports, the files that follow from the schema of a
// report, and the page of the built-in protocols from the snapshots.
import { writeFileSync } from "node:fs";
import { buildReference } from "../docs/api/build-reference.ts";
import { buildConfigSchema } from "../docs/config/build-config-schema.ts";
import { buildDataPage } from "../docs/data/build-data-page.ts";
import { buildReportFiles } from "../docs/report/build-report-files.ts";

// The reference reads the types of a report.
const schemas = { ...buildReportFiles(), ...buildConfigSchema() };
for (const [path, content] of Object.entries(schemas)) writeFileSync(path, content);
for (const [file, content] of Object.entries(buildReference("."))) writeFileSync(`docs/api/${file}`, content);
for (const [path, content] of Object.entries(await buildDataPage("."))) writeFileSync(path, content);
