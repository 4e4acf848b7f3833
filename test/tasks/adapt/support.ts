import { STYLE_NAMES, type StyleName } from "../../../src/dialects/surface.ts";
import type { AdaptOptions } from "../../../src/tasks/adapt/adapt-types.ts";
import { adapt } from "../../../src/tasks/adapt.ts";
import { commitAll, git } from "../../support/commit-all.ts";
import { apiOf, mergedModel, oldApi, snapshotOf } from "../../support/merged-indexer.ts";
import { readRepositoryTree } from "../../support/repository.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";

export type Operations = Readonly<Record<string, string>>;

const snapshots = new Map<string, string>();

export function snapshotText(when: "old" | "merged", protocol: "lockup" | "flow", style: StyleName): string {
  const key = `${when} ${protocol} ${style}`;
  const known = snapshots.get(key);
  if (known) return known;
  const schema = when === "old" ? oldApi(protocol, style) : apiOf(style, mergedModel(style));
  const text = snapshotOf(protocol, style, schema);
  snapshots.set(key, text);
  return text;
}

/** Writes the merged indexer's snapshots of a protocol. */
export function writeMerged(
  project: TempProject,
  styles: readonly StyleName[] = STYLE_NAMES,
  protocol: "lockup" | "flow" = "lockup",
): void {
  for (const style of styles) {
    project.write(`generated/schemas/${protocol}/${style}.graphql`, snapshotText("merged", protocol, style));
  }
}

/** A repository of lockup whose last commit is before the merge. Its operations are by path below `operations/lockup`. */
export function oldProject(operations: Operations, config: object = { protocols: ["lockup"] }): TempProject {
  const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
  for (const style of STYLE_NAMES) {
    project.write(`generated/schemas/lockup/${style}.graphql`, snapshotText("old", "lockup", style));
  }
  for (const [path, text] of Object.entries(operations)) project.write(`operations/lockup/${path}`, text);
  commitAll(project, "main");
  return project;
}

/** The same, with the snapshots of the merged indexer on its disk. */
export function mergedProject(operations: Operations, config?: object): TempProject {
  const project = oldProject(operations, config);
  writeMerged(project);
  return project;
}

/** The library's operations of lockup, by path. */
export function libraryOperations(): Operations {
  return readRepositoryTree("operations/lockup");
}

export function adaptIn({ root }: TempProject, options: Omit<AdaptOptions, "cwd"> = {}) {
  return adapt({ cwd: root, ...options });
}

export { git };
