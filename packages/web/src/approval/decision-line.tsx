import type { Actor, ShownApproval } from '@dragoman/protocol';
import { visibleText } from '../code/visible-text.ts';
import { TimeAgo } from '../design/time-ago.tsx';
import { approvalWords } from './approval-words.ts';
import { useOptionName } from './option-name.ts';

type Words = ReturnType<typeof approvalWords.use>;

/** What became of a question: what was decided, by whom, and when. */
export function DecisionLine({ approval }: { approval: Pick<ShownApproval, 'options' | 'decided'> }) {
  const words = approvalWords.use();
  const nameOf = useOptionName();
  const { decided, options } = approval;
  if (decided === undefined) return <p className="text-xs text-faint">{words.waiting}</p>;
  const said = decided.reply.type === 'selected' ? decided.reply.text : undefined;
  const feedback = decided.reply.type === 'rejected' ? decided.reply.feedback : undefined;
  const text = (said ?? feedback ?? '').slice(0, 4000).toWellFormed();
  return (
    <p className="contained text-xs text-soft">
      {visibleText(decisionWords(words, nameOf, options, decided))}{' '}
      {text !== '' && <span className="italic">{`${words.saidWith(visibleText(text))} `}</span>}
      <TimeAgo at={decided.at} className="text-faint" />
    </p>
  );
}

/** Who did something, in words. */
export function actorWords(words: Words, by: Actor): string {
  switch (by.type) {
    case 'user':
      return by.channel === 'web' ? by.name : words.onChannel(by.name, by.channel);
    case 'rule':
      return words.byRule(by.rule);
    case 'time-limit':
      return words.byTime;
    case 'agent':
      return words.byAgent;
    case 'runner':
      return words.byRunner;
    default: // Of another program's making.
      return '';
  }
}

/** What was decided, and by whom. */
export function decisionWords(
  words: Words,
  nameOf: ReturnType<typeof useOptionName>,
  options: ShownApproval['options'],
  { reply, by }: NonNullable<ShownApproval['decided']>,
): string {
  if (by.type === 'time-limit') return words.timedOut;
  switch (reply.type) {
    case 'selected': {
      const option = options.find(({ id }) => id === reply.optionId);
      if (option?.kind === 'reject_once' && reply.text === undefined) return words.rejected(actorWords(words, by));
      const name = option === undefined ? reply.optionId : nameOf(option);
      return words.selected(name === '' ? words.answer : name, actorWords(words, by));
    }
    case 'rejected':
      return words.rejected(actorWords(words, by));
    default:
      return words.withdrawn;
  }
}
