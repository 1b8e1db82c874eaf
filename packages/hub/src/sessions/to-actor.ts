import type { Actor } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';

/** A person, and where they are. */
export function toActor(caller: Caller, channel = 'api'): Actor {
  return { type: 'user', userId: caller.userId, name: caller.userName, channel };
}
