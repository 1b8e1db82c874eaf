import { DragomanError } from '@dragoman/protocol';
import type { Language } from '../channel.ts';
import { plainLine } from '../note-text.ts';
import { RoleError } from './act-as.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Reply } from './talk.ts';

/** What a person is told when something did not work; nothing for what is no failure that people can be told of. */
export function explainFailure(error: unknown, language: Language): Reply | undefined {
  const words = PEOPLE_WORDS[language];
  if (error instanceof RoleError) return refuse(words.needsRole(words.roles[error.needed]));
  if (!(error instanceof DragomanError) || error.code === 'cancelled') return undefined;
  if (error.code === 'unauthenticated') return refuse(words.nobody);
  const reason = error.message.slice(0, 500);
  return { notes: [{ text: words.failed(plainLine(reason, 500)) }], line: words.failed(reason), isRefused: true };
}

function refuse(text: string): Reply {
  return { notes: [{ text }], line: text, isRefused: true };
}
