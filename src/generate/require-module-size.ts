import { OperationError } from "../base/errors/operation-error.ts";

/** More characters no module has that a compiler can read, and fragments that spread one another have any number. */
const LARGEST = 20_000_000;

/**
 * Requires that what is generated can be written out.
 *
 * @param owner the operation or fragment that it is generated for.
 * @throws OperationError where it is too large.
 */
export function requireModuleSize(length: number, owner: string): void {
  if (length <= LARGEST) return;
  throw new OperationError({
    code: "OPERATIONS_NOT_GENERATED",
    sentence: `What is generated for \`${owner}\` would be larger than ${LARGEST / 1_000_000} MB.`,
    hint: "let fewer fragments spread one another: each is written out wherever it is spread.",
  });
}
