import { type Approval, type ApprovalOption, isChoice, mayAnswer, savedRules } from '@dragoman/protocol';
import { Clock3, ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { useMayAct } from '../api/me.ts';
import { Button, type ButtonLook } from '../design/button.tsx';
import { Failure } from '../design/failure.tsx';
import { outboxWords } from '../outbox/outbox-words.ts';
import { useCommonWords } from '../words/common-words.ts';
import { AnswerBox, RefusalBox } from './answer-box.tsx';
import { approvalWords } from './approval-words.ts';
import { useOptionName } from './option-name.ts';
import { TimeLeft } from './time-left.tsx';
import { type Decide, type Decision, useDecide } from './use-decide.ts';

interface ApprovalActionsProps {
  sessionId: string;
  approval: Approval;
  /** When it is taken for a no. */
  expiresAt?: number | undefined;
  mayAct: boolean;
  /** Whether all that is asked stands beside it. Where it does not, there is no yes. */
  isWhole: boolean;
  /** Where the keys of a list answer too, what they answer with; see `useDecide`. */
  decide?: Decide | undefined;
}

/** The keys that press them, as their tooltips name them; see `useSessionKeys` and `useHomeKeys`. */
const ANSWER_KEYS = {
  allow: { 'data-answer': 'allow', title: 'A', 'aria-keyshortcuts': 'a' },
  deny: { 'data-answer': 'deny', title: 'D', 'aria-keyshortcuts': 'd' },
} as const;

/** Names of options are the agent's, and may be long. */
const WRAPS = 'h-auto! max-w-full shrink! py-1 text-left whitespace-normal! min-h-row';

/**
 * On a phone they share the width of the screen, and stay in sight below a question that is longer than it, on its colour. They stick
 * within the box of the question, so what is between it and them has no box of its own there.
 */
const PAIR =
  'flex gap-2 *:flex-1 max-md:sticky max-md:bottom-0 max-md:z-10 max-md:bg-(--under,var(--panel)) max-md:py-2 max-md:*:justify-center max-md:*:text-center md:contents md:*:flex-none';

/** How a question of an agent is answered: the agent's own options, in its order. */
export function ApprovalActions(props: ApprovalActionsProps) {
  const { sessionId, approval, expiresAt, mayAct, isWhole, decide: given } = props;
  const words = approvalWords.use();
  const unsent = outboxWords.use();
  const common = useCommonWords();
  const mayActElsewhere = useMayAct();
  const own = useDecide(sessionId, approval);
  const state = given ?? own;
  if (state.decided !== undefined)
    return (
      <p role="status" className="contained text-sm text-soft">
        {words.answered(state.decided.decision)}
      </p>
    );
  if (state.isLate)
    return (
      <p role="status" className="contained text-sm text-soft">
        {words.wasLate}
        <span className="block text-xs text-faint">{state.error?.message}</span>
      </p>
    );
  if (state.takeBack !== undefined)
    return (
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <Clock3 size={13} aria-hidden className="shrink-0" />
        {unsent.answerWaits}
        <Button size="small" look="quiet" onClick={state.takeBack}>
          {unsent.takeBack}
        </Button>
      </p>
    );
  return (
    <div className="flex flex-col gap-2 max-md:contents">
      {mayAct ? (
        <Choices approval={approval} state={state} isWhole={isWhole} />
      ) : (
        <p className="text-xs text-soft">{mayActElsewhere ? words.notShared : common.viewerOnly}</p>
      )}
      {state.error !== undefined && <Failure error={state.error} />}
      {expiresAt !== undefined && <TimeLeft until={expiresAt} />}
    </div>
  );
}

function Choices({ approval, state, isWhole }: { approval: Approval; state: Decide; isWhole: boolean }) {
  const words = approvalWords.use();
  const [isRefusing, setRefusing] = useState(false);
  const [text, setText] = useState('');
  const said = text.trim() === '' ? {} : { text: text.trim() };
  const options = approval.options.filter((option) => mayAnswer(option, isWhole));
  const nameOf = useOptionName();
  const isQuestion = isChoice(approval);
  // With a yes or a no, words are the reason of a no.
  const takesText = isWhole && isQuestion && approval.allowsText === true;
  // Yes and no stand beside each other, as large as each other; what else there is follows. Both are in the agent's order.
  const yes = options.find(({ kind }) => kind.startsWith('allow'));
  const no = options.find(({ kind }) => kind.startsWith('reject'));
  const others = options.filter((option) => option !== yes && option !== no);
  const hasNo = approval.options.some(({ kind }) => kind.startsWith('reject'));
  const group = useRef<HTMLDivElement>(null);
  // What has the focus is gone with the answer; the keys of the conversation stay at hand.
  const keepFocus = () => {
    if (group.current?.parentElement?.contains(document.activeElement) === true)
      group.current.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
  };
  const decide = (decision: Decision) => {
    keepFocus();
    state.decide(decision);
  };
  const keyOf = (option: ApprovalOption) =>
    option === yes && option.kind === 'allow_once' ? ANSWER_KEYS.allow : option === no ? ANSWER_KEYS.deny : undefined;
  const button = (option: ApprovalOption) => (
    <Button
      key={option.id}
      look={lookOf(option, option === yes)}
      className={WRAPS}
      isBusy={state.isBusy}
      {...(!isQuestion && keyOf(option))}
      onClick={() => decide({ optionId: option.id, ...(takesText && said) })}
    >
      <span className="contained">{nameOf(option)}</span>
    </Button>
  );
  return (
    <>
      <div ref={group} role="group" aria-label={words.answers} className="flex flex-wrap gap-2 max-md:contents">
        {!isQuestion && (
          <div className={PAIR}>
            {options.filter((option) => option === yes || option === no).map(button)}
            {!hasNo && (
              <Button isBusy={state.isBusy} {...ANSWER_KEYS.deny} onClick={() => decide({ reject: true })}>
                {words.deny}
              </Button>
            )}
          </div>
        )}
        {(isQuestion ? options : others).map(button)}
        {!isQuestion && !isRefusing && (
          <Button look="quiet" disabled={state.isBusy} aria-expanded={false} onClick={() => setRefusing(true)}>
            {words.denyWithReason}
          </Button>
        )}
        {approval.options.length === 0 && isQuestion && !takesText && (
          <p className="text-xs text-soft">{words.nothingToChoose}</p>
        )}
      </div>
      {takesText && (
        <AnswerBox text={text} onText={setText} isBusy={state.isBusy} onSend={() => decide({ text: text.trim() })} />
      )}
      {isRefusing && (
        <RefusalBox
          isBusy={state.isBusy}
          onClose={() => setRefusing(false)}
          onSend={(reason) => decide({ reject: true, ...(reason !== '' && { text: reason }) })}
        />
      )}
      {isWhole && <Always approval={approval} state={state} />}
    </>
  );
}

/** Only where a rule can be saved here; what the agent itself remembers is among its options. */
function Always({ approval, state }: { approval: Approval; state: Decide }) {
  const words = approvalWords.use();
  const rules = savedRules(approval);
  if (rules.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Button
        size="small"
        icon={<ShieldCheck size={13} aria-hidden />}
        isBusy={state.isBusy}
        onClick={() => state.decide({ always: true })}
      >
        {words.always}
      </Button>
      <span className="contained text-xs text-faint">
        {words.alwaysSaves}{' '}
        {rules.map((rule, index) => (
          <code key={index} className="in-written-order mr-1 rounded-sm bg-hover px-1 font-mono text-soft">
            {rule}
          </code>
        ))}
      </span>
    </div>
  );
}

function lookOf({ kind }: ApprovalOption, isFirst: boolean): ButtonLook {
  if (kind === 'reject_always') return 'danger';
  return isFirst ? 'primary' : 'plain';
}
