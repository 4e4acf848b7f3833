import { print } from "graphql";
import { groupBy } from "../../../base/collections.ts";
import { capitalize } from "../../../base/text.ts";
import { AUTHORED_STYLE } from "../../../dialects/portable-style.ts";
import type { DocumentMode } from "../../../dialects/surface.ts";
import type { Project } from "../../../project/project.ts";
import type { Attempt } from "../attempt.ts";
import type { PlannedOperation } from "../plan-port.ts";
import type { CodeModule } from "../read-code.ts";

/**
 * How a document is rewritten: its calls become `run` or `query`, with or without asserted types of addresses, or only `run`;
 * or it becomes the typed document of its style; or it is not changed.
 */
export type Level = (typeof LEVELS)[number];

/** Every level, the best first. */
export const LEVELS = ["call", "cast", "run", "document", "none"] as const;

/** A document in code that became an operation. */
export type Target = {
  readonly planned: PlannedOperation;
  readonly attempt: Attempt;
  /** The variables of the compiled multichain document by those of the document. */
  readonly variables: ReadonlyMap<string, string>;
  /** The forms of documents that are generated. */
  readonly documentMode: DocumentMode;
  /** The name of the operation in code: with its protocol, if another one has an operation of its name. */
  readonly local: string;
  /** The name of its document in code: with its style, if the file has documents of both. */
  readonly localDocument: string;
};

/** Finds the documents that became operations, with names for code. */
export function findTargets(
  all: readonly PlannedOperation[],
  { documentMode }: Pick<Project, "documentMode">,
): Target[] {
  const byName = groupBy(all, ({ placed }) => placed.name);
  return all.flatMap((planned): Target[] => {
    const { kept, others } = planned.group;
    const { name } = planned.placed;
    const { protocol } = kept.match.surface;
    const isShared = byName.get(name)?.some((other) => other.group.kept.match.surface.protocol !== protocol);
    const local = isShared ? `${protocol.replaceAll("-", "")}${capitalize(name)}` : name;
    const own = { attempt: kept, variables: kept.portable?.variables ?? new Map() };
    const attempts = [own, ...others];
    return attempts.map(({ attempt, variables }) => {
      const { style } = attempt.match.surface;
      const isPair = attempts.some(
        ({ attempt: { found, match } }) => found.file === attempt.found.file && match.surface.style !== style,
      );
      const localDocument = `${local}${isPair ? capitalize(style) : ""}Document`;
      return { planned, attempt, variables, documentMode, local, localDocument };
    });
  });
}

/** A change of a file. */
export type Edit = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

/** An import that edits need. */
export type NeededImport = {
  readonly path: string;
  /** The generated module, from the output folder: `lockup/portable`. */
  readonly module: string;
  readonly name: string;
  /** The name in the file. */
  readonly local: string;
  readonly isType?: boolean;
};

/** The edits of a document. */
export type DocumentEdits = { readonly edits: readonly Edit[]; readonly imports: readonly NeededImport[] };

/** The names of a document that differ in its operation. */
export type Renames = {
  /** The variables of the portable operation by those of the document. */
  readonly variables: ReadonlyMap<string, string>;
  /** The response keys of root fields by those of the document; empty if all are equal. */
  readonly keys: ReadonlyMap<string, string>;
  /** The variable of the chain, or its literal value. */
  readonly chain:
    | { readonly variable: string; readonly isList: boolean }
    | { readonly literal: string }
    | null;
};

/** Finds the names of a document that differ in its operation. */
export function renamesOf({ planned, attempt, variables }: Target): Renames {
  const { kept } = planned.group;
  const compiled = kept.portable?.compiled;
  const style = attempt.match.surface.style;
  const declared = attempt.found.node.variableDefinitions ?? [];
  const own = declared.map(
    ({
      variable: {
        name: { value: name },
      },
    }) => {
      const sent = variables.get(name) ?? name;
      const portable = compiled?.variables.find((one) => one.becomes[style].includes(sent))?.name;
      return [name, attempt === kept || portable === undefined ? name : portable] as const;
    },
  );
  const chain = attempt.match.surface.style === AUTHORED_STYLE ? null : (attempt.question?.chain ?? null);
  const [, variable] = /^\[?\$(\w+)\]?$/.exec(chain ?? "") ?? [];
  const isList = declared.some(
    (one) => one.variable.name.value === variable && print(one.type).startsWith("["),
  );
  const [, literal] = /^\[?(\d+)\]?$/.exec(chain ?? "") ?? [];
  return {
    variables: new Map(own),
    keys: renamedKeys(attempt, kept),
    chain: variable !== undefined ? { variable, isList } : literal !== undefined ? { literal } : null,
  };
}

function renamedKeys({ question }: Attempt, kept: Attempt): ReadonlyMap<string, string> {
  if (question === null || kept.question === null || question === kept.question) return new Map();
  const byPath = new Map([...kept.question.keys].map(([key, path]) => [path, key]));
  const keys = [...question.keys].map(([key, path]) => [key, byPath.get(path) ?? key] as const);
  return new Map(keys.some(([key, other]) => key !== other) ? keys : []);
}

/** Whether a file may have types. */
export function isTyped({ path }: Pick<CodeModule, "path">): boolean {
  return /\.[cm]?tsx?$/.test(path);
}

/** Returns a name that a file does not use yet: an import is renamed if it does. */
export function localName(name: string, { text }: Pick<CodeModule, "text">): string {
  const code = text.replaceAll(NO_NAMES, "");
  return new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(code) ? `lockflow${capitalize(name)}` : name;
}

/** Texts and comments. */
const NO_NAMES = /`[^`]*`|"[^"\n]*"|'[^'\n]*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
