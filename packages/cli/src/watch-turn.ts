import type { AgentBackend } from '@dragoman/protocol';

/**
 * The same backend; what is given resolves when its first turn is over, and rejects when it cannot begin. A turn that was
 * called off before it began does not begin.
 */
export function watchTurn(
  backend: AgentBackend,
  turn: PromiseWithResolvers<void>,
  isCalledOff: () => boolean,
): AgentBackend {
  const failing = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      turn.reject(error);
      throw error;
    });
  return new Proxy(backend, {
    get: (target, key) => {
      const value = Reflect.get(target, key, target) as unknown;
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (key === 'start' || key === 'resume') return (...args: unknown[]) => failing(method(...args));
      if (key !== 'prompt') return method;
      return async (...args: unknown[]) => {
        const end = isCalledOff() ? { reason: 'cancelled' } : await failing(method(...args));
        turn.resolve();
        return end;
      };
    },
  });
}
