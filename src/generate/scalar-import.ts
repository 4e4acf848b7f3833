/** Whether a configured type is taken from a module: `"module#Type"`, in the forms that GraphQL Code Generator knows. */
export function isScalarImport(type: string): boolean {
  return IMPORT.test(type);
}

const IMPORT = /^#?[^\s#"'`|&<>(){}\\]+#[A-Za-z_$][\w$]*(?:#[A-Za-z_$][\w$]*|\s+as\s+[A-Za-z_$][\w$]*)?$/;
