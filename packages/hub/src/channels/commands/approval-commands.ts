import { plainlyShown, type WaitingApproval } from '@dragoman/protocol';
import { plainLine } from '../note-text.ts';
import { approvalNotice, askedLine, isToldWhole } from '../notice-text.ts';
import { decide } from '../people/decide.ts';
import { answeredApproval } from '../people/hear-answer.ts';
import { whyReadOnly } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';
import { followedSession } from './followed-session.ts';
import { lastList } from './last-list.ts';

const MOST = 8;
/** Of a question in a list; the marks of Markdown are not counted. */
const LINE_CHARS = 100;

/** Allows what an agent asks, once or, where that can be saved, always. What nobody named is shown first. */
export async function approveCommand(talk: Talk, args: string): Promise<Reply> {
  const always = /(?:^|\s)(?:always|始终|总是)$/i.exec(args);
  const target = always === null ? args : args.slice(0, always.index).trim();
  const found = await findApproval(talk, '/approve', target);
  if ('reply' in found) return found.reply;
  if (found.rest !== '') return expected(talk, 'approve');
  const { approval } = found;
  // Who says yes has seen all of it: in the message that is answered, or, but for the rules to be saved, in the list.
  const isSeen =
    found.seenIn === 'post'
      ? isToldWhole(approval)
      : found.seenIn === 'list' && always === null && askedLine(approval, LINE_CHARS) !== undefined;
  if (!isSeen) return askWhole(talk, approval);
  const place = placeOf(approval);
  if (always !== null) return decide(talk, place, { always: true });
  const yes = approval.options.find(({ kind }) => kind === 'allow_once') ?? onlyOption(approval);
  return yes === undefined ? askWhole(talk, approval) : decide(talk, place, { optionId: yes.id });
}

/** Denies what an agent asks; what is written behind it is the reason, which the agent reads. */
export async function denyCommand(talk: Talk, args: string): Promise<Reply> {
  const found = await findApproval(talk, '/deny', args);
  if ('reply' in found) return found.reply;
  return decide(talk, placeOf(found.approval), { reject: true, ...(found.rest !== '' && { text: found.rest }) });
}

type Found =
  | {
      approval: WaitingApproval;
      rest: string;
      /** Where whoever writes has it before them. What waits by now may be another question than when they began to write. */
      seenIn: 'post' | 'list' | undefined;
    }
  | { reply: Reply };

/**
 * The approval that is meant: the one whose post was answered, the one with that number in the last list, the one that a
 * button names, or the only one that waits in the session that the chat shows.
 */
async function findApproval(talk: Talk, command: string, args: string): Promise<Found> {
  await talk.acts.check('decideApproval');
  const words = COMMAND_WORDS[talk.language];
  const all = await talk.acts.decidableApprovals();
  const answered = await answeredApproval(talk);
  const named = (name: string | undefined) => all.find((approval) => nameOf(approval) === name);
  if (answered !== undefined) {
    const approval = named(`${answered.sessionId}/${answered.approvalId}`);
    if (approval !== undefined) return { approval, rest: args, seenIn: 'post' };
  }
  const byName = named(args);
  if (byName !== undefined) return { approval: byName, rest: '', seenIn: 'list' };
  if (/^ses_[0-9a-z]{26}\//.test(args)) return { reply: await decidedBefore(talk, args) };
  const [, number, rest = ''] = /^(\d{1,3})(?:\s+([^]*))?$/.exec(args) ?? [];
  if (number !== undefined) {
    const name = (await lastList(talk, command)).get(String(Number(number)));
    if (name === undefined) return { reply: say(words.notInList(number)) };
    const approval = named(name);
    return approval === undefined ? { reply: await decidedBefore(talk, name) } : { approval, rest, seenIn: 'list' };
  }
  const here = all.filter(({ sessionId }) => sessionId === talk.chat.session_id);
  if (here.length === 1) return { approval: here[0]!, rest: args, seenIn: undefined };
  if (here.length > 1) return { reply: list(words.approvals, here) };
  if (all.length > 0) return { reply: list(words.approvalsElsewhere, all) };
  const session = await followedSession(talk);
  const readOnly = session && (await whyReadOnly(talk, session.runnerId));
  return { reply: say(readOnly ?? words.noApprovals) };
}

/** Says who decided it, by deciding it too late. */
function decidedBefore(talk: Talk, name: string): Promise<Reply> {
  const slash = name.indexOf('/');
  return decide(talk, { sessionId: name.slice(0, slash), approvalId: name.slice(slash + 1) }, { reject: true });
}

/** A yes stands in the list where its line says all of the question; else there is a button that shows the question. */
function list(heading: string, approvals: readonly WaitingApproval[]): Reply {
  const shown = approvals.slice(0, MOST).map((approval) => ({ approval, whole: askedLine(approval, LINE_CHARS) }));
  const lines = shown.map(
    ({ approval: { title, sessionTitle }, whole }, index) =>
      `${index + 1}. **${plainLine(whole ?? plainlyShown(title), LINE_CHARS)}** (${plainLine(sessionTitle, 60)})`,
  );
  const buttons = shown.map(({ approval, whole }, index) => [
    {
      label: `${whole === undefined ? '…' : '✓'} ${index + 1}`,
      action: { type: 'command' as const, text: `/approve ${nameOf(approval)}` },
    },
    { label: `✗ ${index + 1}`, action: { type: 'command' as const, text: `/deny ${nameOf(approval)}` } },
  ]);
  return say(`${heading}\n\n${lines.join('\n')}`, buttons);
}

/** The question itself, with the answers that may be chosen beside it. */
function askWhole({ language }: Talk, approval: WaitingApproval): Reply {
  const { sessionId, sessionTitle } = approval;
  const { text, buttons } = approvalNotice(language, { sessionId, sessionTitle, approval, decided: undefined });
  return say(text, buttons);
}

function onlyOption({ options }: WaitingApproval) {
  return options.length === 1 ? options[0] : undefined;
}

function placeOf({ sessionId, id }: WaitingApproval): { sessionId: string; approvalId: string } {
  return { sessionId, approvalId: id };
}

/** Agents name their approvals as they like, and each for itself. */
function nameOf({ sessionId, id }: WaitingApproval): string {
  return `${sessionId}/${id}`;
}
