import type { SessionPart, ShownApproval } from '@dragoman/protocol';
import type { HubLog } from '../hub-log.ts';
import type { ChannelRenderer, Post, Scene } from './channel.ts';
import { promptsIn } from './part-facts.ts';

/** A post of which it is not said yet whether it is final. */
export type RenderedPost = Omit<Post, 'isFinal'>;

/**
 * What a channel makes of the parts of sessions. What did not change is the same object, and is not made again; chats in one
 * language share it.
 */
export class Renderings {
  readonly #renderer: ChannelRenderer<unknown>;
  readonly #log: HubLog;
  readonly #parts = new WeakMap<SessionPart, Map<string, readonly RenderedPost[]>>();
  readonly #approvals = new WeakMap<ShownApproval, Map<string, RenderedPost | undefined>>();

  constructor(renderer: ChannelRenderer<unknown>, log: HubLog) {
    this.#renderer = renderer;
    this.#log = log;
  }

  /** The posts of a part. None where the channel fails to show it. */
  part(part: SessionPart, scene: Scene): readonly RenderedPost[] {
    const own = promptsIn(part).map((id) => scene.ownPrompts.get(id) ?? '');
    const away = JSON.stringify(scene.away ?? '');
    return remembered(this.#parts, part, [scene.language, scene.link ?? '', away, ...own].join('\n'), () =>
      this.#tried(scene, () => this.#renderer.part(part, scene), []),
    );
  }

  /** The post of a question. */
  approval(approval: ShownApproval, scene: Scene): RenderedPost | undefined {
    return remembered(this.#approvals, approval, `${scene.language}\n${scene.link ?? ''}`, () =>
      this.#tried(scene, () => this.#renderer.approval(approval, scene), undefined),
    );
  }

  #tried<Made>(scene: Scene, make: () => Made, otherwise: Made): Made {
    try {
      return make();
    } catch (err) {
      // What was said may stand in the message of the error; where it happened does not.
      const place = err instanceof Error ? err.stack?.split('\n    at ', 2)[1] : undefined;
      this.#log.warn(
        { sessionId: scene.view.info.id, seq: scene.view.seq, place },
        'a channel could not show a part of a session',
      );
      return otherwise;
    }
  }
}

function remembered<Key extends object, Made>(
  map: WeakMap<Key, Map<string, Made>>,
  object: Key,
  key: string,
  make: () => Made,
): Made {
  let made = map.get(object);
  if (made === undefined) map.set(object, (made = new Map()));
  if (!made.has(key)) made.set(key, make());
  return made.get(key)!;
}
