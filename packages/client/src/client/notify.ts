/** Calls a function of the application. Its exceptions do not fail a query. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  (async () => listener?.(value))().catch(() => {});
}
