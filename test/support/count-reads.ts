/** Counts every property that is read of a value and of what is in it, however deep: how much work was done on it. */
export function createReadCounter(): {
  readonly watch: <T extends object>(value: T) => T;
  readonly reads: () => number;
} {
  let reads = 0;
  const watched = new WeakMap<object, object>();
  const handler: ProxyHandler<object> = {
    get: (target, key) => {
      reads++;
      const found: unknown = Reflect.get(target, key);
      return typeof found === "object" && found !== null ? watch(found) : found;
    },
  };
  function watch<T extends object>(value: T): T {
    // Only what is plain: a Map's own methods know no proxy.
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
    let proxy = watched.get(value);
    if (proxy === undefined) {
      proxy = new Proxy(value, handler);
      watched.set(value, proxy);
    }
    return proxy as T;
  }
  return { watch, reads: () => reads };
}
