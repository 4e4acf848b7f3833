/** The text of an operation file, before it is parsed. */
export type OperationSource = { readonly path: string; readonly text: string };
