import type { ModelEvent, ModelSink } from '@dragoman/protocol';

/**
 * An answer that ends before the first stop sequence in its text, wherever the provider's pieces are split.
 *
 * The end of a piece that may be the beginning of a sequence waits for the next one. What comes after the cut is read for
 * its usage and not passed on.
 */
export function cutAtStop(sequences: readonly string[], next: ModelSink): ModelSink {
  const stops = sequences.filter((stop) => stop !== '');
  const longest = Math.max(0, ...stops.map((stop) => stop.length));
  /** Blocks that have begun. What is not text among them is told to its end, even behind the cut. */
  const open = new Set<string>();
  let textId: string | undefined;
  let held = '';
  let isCut = false;

  const say = (id: string, delta: string) => {
    if (delta !== '') next.push({ type: 'text-delta', id, delta });
  };
  const take = (id: string, delta: string) => {
    const text = held + delta;
    const at = firstOf(stops, text);
    if (at !== -1) {
      isCut = true;
      held = '';
      open.delete(blockOf('text', id));
      say(id, text.slice(0, at));
      next.push({ type: 'text-end', id });
      return;
    }
    const kept = waitingLength(stops, text, longest);
    held = text.slice(text.length - kept);
    say(id, text.slice(0, text.length - kept));
  };
  const release = () => {
    if (textId !== undefined) say(textId, held);
    held = '';
    textId = undefined;
  };
  const pushCut = (event: ModelEvent) => {
    if (event.type === 'finish') next.push({ ...event, finishReason: 'stop', rawFinishReason: 'stop_sequence' });
    else if (event.type === 'error' || ('id' in event && open.has(blockOf(kindOf(event), event.id)))) next.push(event);
  };

  return {
    push(event) {
      if (isCut) {
        pushCut(event);
        return;
      }
      switch (event.type) {
        case 'text-delta':
          if (textId !== event.id) release();
          textId = event.id;
          take(event.id, event.delta);
          return;
        case 'text-end':
        case 'reasoning-end':
        case 'tool-input-end':
          if (event.type === 'text-end') release();
          open.delete(blockOf(kindOf(event), event.id));
          break;
        case 'text-start':
        case 'reasoning-start':
        case 'tool-input-start':
          open.add(blockOf(kindOf(event), event.id));
          break;
        case 'finish':
        case 'error':
          release();
          break;
        default: // Thoughts and calls do not end at a sequence.
      }
      next.push(event);
    },
  };
}

function kindOf({ type }: ModelEvent): string {
  return type.slice(0, type.lastIndexOf('-'));
}

function blockOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

function firstOf(stops: readonly string[], text: string): number {
  let first = -1;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at !== -1 && (first === -1 || at < first)) first = at;
  }
  return first;
}

/** How much of the end of a text may belong to a sequence that is not whole yet. */
function waitingLength(stops: readonly string[], text: string, longest: number): number {
  for (let length = Math.min(longest - 1, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (stops.some((stop) => stop.length > length && stop.startsWith(end))) return length;
  }
  return 0;
}
