import { typescriptLiteral } from "../base/text.ts";
import type { Operation } from "../operations/operation-set.ts";
import type { DecodedColumns } from "../operations/portable/compiled-operation.ts";
import type { PortableNames } from "./declare-portable-types.ts";
import { resultName } from "./type-names.ts";

/** Renders the decoder of an operation: constants that bundlers drop if they are not used. */
export function renderDecoder(operation: Operation, columns: DecodedColumns, names: PortableNames): string {
  const { name } = operation;
  const constant = columnsOf(name, names);
  const type = `${names.taken("Decoder")}<${names.imported(resultName(operation))}, typeof ${constant}>`;
  return `
const ${constant} = ${typescriptLiteral(columns)} as const;

/** Converts answers and rows of \`${name}\`: whole numbers to \`bigint\`, times to \`Date\`. */
export const ${names.value(`decode${name}`)}: ${type} = /* @__PURE__ */ ${names.value("createDecoder")}(${constant});
`;
}

/** Returns the name of the columns that the decoder of an operation converts. */
export function columnsOf(operation: string, { value }: PortableNames): string {
  return value(`${operation}Columns`);
}
