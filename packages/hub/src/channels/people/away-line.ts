import type { MachineAway } from '@dragoman/protocol';
import { awayText } from '../away-words.ts';
import { plainLine } from '../note-text.ts';
import { timeAgo } from '../time-ago.ts';
import type { Talk } from './talk.ts';

/** That a machine is away and what can be done, as Markdown for somebody who asks now. */
export function awayLine(
  { ears, language }: Pick<Talk, 'ears' | 'language'>,
  away: MachineAway,
  about: { isRunning: boolean; effect?: string },
): string {
  const ago = timeAgo(ears.parts.now() - away.since, language);
  return awayText({ ...away, machine: plainLine(away.machine, 60) }, language, { ...about, read: { ago } });
}
