import { isObject } from "../client/values.ts";

/**
 * Returns a method for each operation of a module, with the operation's name in lower case at the start.
 *
 * @param run runs an operation with the arguments of the method.
 */
export function bindRun<Bound>(
  operations: object,
  run: (operation: never, variables: never, options: never) => unknown,
): Bound {
  const methods = Object.entries(operations).flatMap(([name, operation]) =>
    isObject(operation) && "protocol" in operation
      ? [
          [
            name.charAt(0).toLowerCase() + name.slice(1),
            (variables: never, options: never) => run(operation as never, variables, options),
          ],
        ]
      : [],
  );
  return Object.fromEntries(methods) as Bound;
}
