import { posix } from "node:path";
import { renderTable } from "../../report/render-table.ts";
import { nameOf } from "./detect-repository.ts";
import { type InitPlan, renderScripts } from "./plan-init.ts";
import type { Forge, Repository } from "./repository.ts";

/** Renders what was seen and what will be written, for people to agree to. Paths are from the package's folder. */
export function renderPlan(repository: Repository, plan: InitPlan): string {
  const row = ({ path, why }: { readonly path: string; readonly why: string }) => [
    posix.relative(repository.path, path) + (path.endsWith("/") ? "/" : ""),
    why,
  ];
  const written = plan.files.map(row);
  if (plan.snapshots !== null) written.push(row({ path: `${plan.snapshots}/`, why: "the snapshots" }));
  const added = plan.packageFile?.added.map((script) => [renderScripts([script])]) ?? [];
  const changed = plan.configFile && row({ ...plan.configFile, why: CHANGES[plan.configFile.gets] });
  const notes = plan.scripts.notes.map((note) => ["package.json", note]);
  return [
    `${nameOf(repository)}: ${describe(repository)}`,
    ...section("Will write", written),
    ...section("Will add to the scripts of package.json", added),
    ...section("Will change", changed ? [changed] : []),
    ...section("Left alone", [...plan.leftAlone.map(row), ...notes]),
    "",
  ].join("\n");
}

const CHANGES: Readonly<Record<NonNullable<InitPlan["configFile"]>["gets"], string>> = {
  protocol: "the protocol is added to its list",
  ids: "the ids are written into subgraph.production.ids",
  both: "the protocol is added to its list, and the ids to subgraph.production.ids",
};

/** Whether a plan writes anything. */
export function isEmptyPlan({ files, snapshots, packageFile, configFile }: InitPlan): boolean {
  return files.length === 0 && snapshots === null && packageFile === null && configFile === null;
}

function describe({ packageManager, typescript, package: own, client, forge, path }: Repository): string {
  return [
    packageManager.name === "yarn-classic" ? "yarn 1" : packageManager.name,
    typescript ? "TypeScript" : "JavaScript",
    own.isCommonJs ? "CommonJS" : "ES modules",
    client.name,
    ...FORGES[forge],
    ...(path === "" ? [] : [`in ${path} of its repository`]),
  ].join(", ");
}

const FORGES: Readonly<Record<Forge, readonly string[]>> = {
  github: ["GitHub"],
  gitlab: ["GitLab"],
  unknown: [],
};

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ["", title, renderTable(rows, "  ")];
}
