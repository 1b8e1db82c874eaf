import type { HubSession } from '@dragoman/protocol';
import { useCallback, useRef, useState } from 'react';
import { useMayAct } from '../../api/me.ts';
import { useForeignRunner } from '../../api/runners.ts';
import type { Shown } from '../../api/session-view.ts';
import { openOverlay } from '../../commands/overlay.ts';
import { Conversation, type ConversationHandle } from '../../conversation/conversation.tsx';
import type { ComposerHandle } from './composer/composer.tsx';
import { DropArea } from '../../composer/drop-area.tsx';
import { FindBox } from './find-box.tsx';
import { RevertDialog } from './header/revert-dialog.tsx';
import { useHead } from './header/session-head.ts';
import { SessionHeader } from './header/session-header.tsx';
import { useSessionKeyLines } from './session-key-lines.ts';
import { useSessionActions } from './session-actions.ts';
import { SessionFoot } from './session-foot.tsx';
import { answerShown } from './answer-shown.ts';
import { isRunning, statusOf } from './session-status.ts';
import { Side } from './side/side.tsx';
import { useSide } from './side/use-side.ts';
import { useMarkRead } from './use-mark-read.ts';
import { useTryAgain } from './use-try-again.ts';
import { useSessionKeys } from './use-session-keys.ts';

interface SessionFrameProps extends Shown {
  session: HubSession | undefined;
  isLive: boolean;
  at: number | undefined;
}

/** A session that is there: its parts, and what they have to do with each other. */
export function SessionFrame({ view, isEnd, isGrownInFront, session, isLive, at }: SessionFrameProps) {
  const sessionId = view.info.id;
  const foreign = useForeignRunner(view.info.runnerId);
  const mayAct = useMayAct() && foreign === undefined;
  const actions = useSessionActions(sessionId);
  useSessionKeyLines();
  const conversation = useRef<ConversationHandle>(null);
  // Whoever sends something looks at what comes of it.
  const toEnd = useCallback(() => conversation.current?.toEnd(), []);
  const tryAgain = useTryAgain(view, { mayAct, onSent: toEnd });
  const composer = useRef<ComposerHandle>(null);
  const findInput = useRef<HTMLInputElement>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [reverting, setReverting] = useState<{ messageId: string | undefined }>();
  const side = useSide();
  useMarkRead(sessionId, view.seq, isAtEnd);

  const head = useHead(view, session);
  const openFind = useCallback(() => {
    setFinding(true);
    findInput.current?.select();
  }, []);
  const revertLast = useCallback(() => setReverting({ messageId: undefined }), []);
  const revertTo = useCallback((messageId: string) => setReverting({ messageId }), []);
  const closeFind = () => {
    setFinding(false);
    composer.current?.focus();
  };
  const isStopArmed = useSessionKeys({
    onFind: openFind,
    onLastPrompt: () => conversation.current?.toLastPrompt(),
    onEnd: toEnd,
    onAllow: () => answerShown('allow'),
    onDeny: () => answerShown('deny'),
    onStop: mayAct && isRunning(view) ? actions.stop : undefined,
  });

  return (
    <div className="flex h-full min-h-0">
      <DropArea isOff={!mayAct} onFiles={(files) => composer.current?.addFiles(files)}>
        <SessionHeader
          head={head}
          status={statusOf(view)}
          mayAct={mayAct}
          actions={actions}
          isSideOpen={side.tab !== undefined}
          onSide={side.toggle}
          onFind={openFind}
          onRevert={revertLast}
          onKeys={openKeys}
        />
        {isFinding && <FindBox conversation={conversation} input={findInput} onClose={closeFind} />}
        <div className="min-h-0 flex-1">
          <Conversation
            ref={conversation}
            view={view}
            isEnd={isEnd}
            isGrownInFront={isGrownInFront}
            isLive={isLive}
            mayAct={mayAct}
            at={at}
            onAtEnd={setAtEnd}
            onOpenFile={side.openFile}
            onTryAgain={tryAgain}
            onFork={view.capabilities.fork === true && mayAct ? actions.fork : undefined}
            onRevert={view.capabilities.revert === true && mayAct ? revertTo : undefined}
          />
        </div>
        <SessionFoot
          view={view}
          session={session}
          mayAct={mayAct}
          foreign={foreign}
          actions={actions}
          isStopArmed={isStopArmed}
          composer={composer}
          onSent={toEnd}
        />
      </DropArea>
      <Side side={side} view={view} mayAct={mayAct} onMention={(path) => composer.current?.insert(`@${path}`)} />
      {reverting !== undefined && (
        <RevertDialog
          view={view}
          messageId={reverting.messageId}
          onClose={() => setReverting(undefined)}
          onDone={(text) => {
            setReverting(undefined);
            composer.current?.suggest(text);
          }}
        />
      )}
    </div>
  );
}

function openKeys(): void {
  openOverlay('keys');
}
