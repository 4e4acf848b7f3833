/** A type that a configuration takes from a module: `"module#Type"`. */
export type ScalarImport = {
  readonly module: string;
  /** What the module exports under this name; `default` for its default export. */
  readonly imported: string;
  /** What it is to be called. */
  readonly local: string;
  /** What is used of it, behind its name: nothing, or a type in a namespace. */
  readonly member: string;
};

/** Whether a configured type is taken from a module: `"module#Type"`, in the forms that GraphQL Code Generator knows. */
export function isScalarImport(type: string): boolean {
  return IMPORT.test(type);
}

/**
 * Parses `module#Type`, `module#Type as Alias`, `module#default` and `module#Namespace#Type`; null for any other type.
 *
 * @param scalar what a default export is called after.
 */
export function parseScalarImport(type: string, scalar: string): ScalarImport | null {
  const [, module, imported, inner, alias] = IMPORT.exec(type) ?? [];
  if (module === undefined || imported === undefined) return null;
  const local = alias ?? (imported === "default" ? scalar : imported);
  return { module, imported, local, member: inner === undefined ? "" : `.${inner}` };
}

const IMPORT =
  /^(#?[^\s#"'`|&<>(){}\\]+)#([A-Za-z_$][\w$]*)(?:#([A-Za-z_$][\w$]*)|\s+as\s+([A-Za-z_$][\w$]*))?$/;
