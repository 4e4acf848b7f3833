import { join } from "node:path";
import { mapVariables } from "../../../packages/client/src/variables/map-variables.ts";
import { once } from "../../../src/base/collections.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import {
  type AnyPortableOperation,
  buildPortableOperation,
} from "../../../src/generate/portable/portable-operation.ts";
import { type Given, portableModules } from "../../generate/portable-modules.ts";
import { installClient } from "../../support/built-client.ts";
import { tempProject } from "../../support/temp-project.ts";
import { compileText, contextOf } from "./compile-text.ts";

/** Operations as applications import them from generated code, and as commands build them without files. */
export function bothForms(given: Given) {
  const context = contextOf(given.entities, given.context);
  const built = new Map(
    compileText(given.operations, context).operations.map((one) => [
      one.name,
      buildPortableOperation(one, context, {}),
    ]),
  );
  const load = once(async (): Promise<Record<string, AnyPortableOperation>> => {
    const project = tempProject({
      ...(await portableModules(given)),
      "package.json": '{ "type": "module" }',
    });
    installClient(project.root);
    return import(join(project.root, "auctions/portable.ts"));
  });
  const required = (operation: AnyPortableOperation | undefined, name: string): AnyPortableOperation => {
    if (operation === undefined) throw new TypeError(`There is no ${name}.`);
    return operation;
  };
  return {
    context,
    built: (name: string) => required(built.get(name), name),
    generated: async (name: string) => required((await load())[name], name),
  };
}

/** The request of an operation to a style; variables are sent as JSON. */
export function requestOf(operation: AnyPortableOperation, style: StyleName, given: object, chain: number) {
  const variables = JSON.parse(JSON.stringify(mapVariables(operation, style, given as never, [chain])));
  return { query: operation[style], variables };
}

/** The name of an operation. */
export function nameOf(text: string): string {
  return /query (\w+)/.exec(text)?.[1] ?? "";
}
