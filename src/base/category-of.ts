/** The first part of a code: `drift` of `drift/field-removed`. */
export function categoryOf({ code }: { readonly code: string }): string {
  return code.split("/", 1)[0] ?? code;
}
