import {
  type Actor,
  type Approval,
  APPROVAL_WORDS,
  type ApprovalOption,
  type ApprovalReply,
  optionName,
} from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Language } from '../channel.ts';
import { PEOPLE_WORDS, type PeopleWords } from './people-words.ts';

type Words = PeopleWords['decision'];

/** What became of an approval, in words and not in Markdown; nothing where it still waits or is not there. */
export async function describeDecision(
  db: Kysely<HubTables>,
  { sessionId, approvalId }: { sessionId: string; approvalId: string },
  language: Language,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('hub_approvals')
    .select(['approval_json', 'reply_json', 'by_json'])
    .where('session_id', '=', sessionId)
    .where('id', '=', approvalId)
    .executeTakeFirst();
  if (row === undefined || row.reply_json === null || row.by_json === null) return undefined;
  const { options } = JSON.parse(row.approval_json) as Approval;
  const by = JSON.parse(row.by_json) as Actor;
  const words = PEOPLE_WORDS[language].decision;
  if (by.type === 'time-limit') return APPROVAL_WORDS[language].timedOut;
  const reply = JSON.parse(row.reply_json) as ApprovalReply;
  return words.by(answerWords(options, reply, language), actorWords(by, language));
}

function answerWords(options: readonly ApprovalOption[], reply: ApprovalReply, language: Language): string {
  const words = PEOPLE_WORDS[language].decision;
  switch (reply.type) {
    case 'selected': {
      const option = options.find(({ id }) => id === reply.optionId);
      if (option === undefined) return `“${reply.text ?? reply.optionId}”`;
      return withWords(optionName(option, language), reply.text, words);
    }
    case 'rejected':
      return withWords(words.rejected, reply.feedback, words);
    case 'cancelled':
      return APPROVAL_WORDS[language].withdrawn;
  }
}

function withWords(what: string, said: string | undefined, words: Words): string {
  return said === undefined || said === '' ? what : words.withWords(what, said);
}

function actorWords(by: Exclude<Actor, { type: 'time-limit' }>, language: Language): string {
  const words = APPROVAL_WORDS[language];
  switch (by.type) {
    case 'user':
      return PEOPLE_WORDS[language].decision.who(by.name, by.channel);
    case 'rule':
      return words.byRule(by.rule);
    case 'agent':
      return words.byAgent;
    case 'runner':
      return words.byRunner;
  }
}
