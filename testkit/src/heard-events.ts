import type { BackendEvent } from '@dragoman/protocol';

/** Everything a backend told, and a way to wait for something of it. */
export interface HeardEvents {
  events: BackendEvent[];
  /** To be handed to a backend. */
  emit(event: BackendEvent): void;
  /** Resolves with the first event that fits, heard already or still to come. */
  until<Type extends BackendEvent['type']>(
    type: Type,
    fits?: (event: Extract<BackendEvent, { type: Type }>) => boolean,
  ): Promise<Extract<BackendEvent, { type: Type }>>;
}

/** Listens to a backend. Events are copied, so that a test sees what was told and not what became of it. */
export function hearEvents(): HeardEvents {
  const events: BackendEvent[] = [];
  const waiting = new Set<() => void>();
  return {
    events,
    emit(event) {
      events.push(structuredClone(event));
      for (const look of waiting) look();
    },
    until: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = events.find((event) => event.type === type && fits(event as never));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found as never);
        };
        waiting.add(look);
        look();
      }),
  };
}
