import type { Host } from '../../src/model/ports/host.ts';
import type { Store } from '../../src/model/ports/store.ts';

/** Whether a process is gone: from then on nothing it asked for reaches it, and it can ask for nothing. */
export interface Life {
  gone: boolean;
}

/** The store with some of its methods replaced. */
export function withMethods<T extends object>(store: T, methods: Partial<T>): T {
  return new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}

const never = new Promise<never>(() => undefined);

/** The store as a process sees it that may die at any moment. */
export function cutStore(store: Store, life: Life): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      if (name === 'subscribe') {
        return (callback: () => void) =>
          target.subscribe(() => {
            if (!life.gone) callback();
          });
      }
      const found: unknown = Reflect.get(target, name, receiver);
      if (typeof found !== 'function') return found;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        if (life.gone) await never;
        try {
          const value: unknown = await Reflect.apply(found, target, args);
          if (life.gone) await never;
          return value;
        } catch (error) {
          if (life.gone) await never;
          throw error;
        }
      };
    },
  });
}

/** The machine goes on when a process dies; only nobody listens any more. */
export function cutHost(host: Host, life: Life): Host {
  const listen = async <T>(promise: Promise<T>): Promise<T> => {
    const value = await promise;
    if (life.gone) return never;
    return value;
  };
  return {
    launch: (attempt, began) => (life.gone ? never : listen(host.launch(attempt, began))),
    adopt: (attempt, began) => (life.gone ? never : listen(host.adopt(attempt, began))),
    end: (attempt, reason) => (life.gone ? undefined : host.end(attempt, reason)),
  };
}
