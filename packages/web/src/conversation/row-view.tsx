import { Component, memo, type ReactNode } from 'react';
import { Notice } from '../design/notice.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { ApprovalDetails } from '../approval/approval-details.tsx';
import { approvalWords } from '../approval/approval-words.ts';
import { useServerSentence } from '../words/server-sentences.ts';
import { Attachment } from './attachment.tsx';
import { CallApproval } from './call-approval.tsx';
import { CallGroup } from './call-group.tsx';
import { CallStatusMark } from './call-status.tsx';
import { conversationWords } from './conversation-words.ts';
import { Disclosure } from './disclosure.tsx';
import { FaultNotice } from './fault-notice.tsx';
import { useOpen } from './open-state.ts';
import { PlanRow } from './plan-row.tsx';
import { PromptRow } from './prompt-row.tsx';
import { askedAbout, readRetry, type Row, type RowOf } from '@dragoman/protocol';
import { RetryRow } from './retry-row.tsx';
import { TextRow } from './text-row.tsx';
import { ThinkingRow } from './thinking-row.tsx';
import { CardNote, ToolCard } from './tool-card.tsx';
import { ToolOutput } from './tool-output.tsx';
import { TurnEndRow } from './turn-end-row.tsx';

/** One thing in a conversation. Should it not be possible to show it, the rest is shown all the same. */
export const RowView = memo(function RowView({ row }: { row: Row }) {
  const words = conversationWords.use();
  return (
    <RowBoundary key={row.type} row={row} instead={<p className="text-xs text-faint">{words.unshowable}</p>}>
      {renderRow(row)}
    </RowBoundary>
  );
});

function renderRow(row: Row): ReactNode {
  switch (row.type) {
    case 'prompt':
      return <PromptRow message={row.message} />;
    case 'text':
      return <TextRow shown={row.shown} />;
    case 'thinking':
      return <ThinkingRow shown={row.shown} />;
    case 'call':
      return (
        <>
          <ToolCard call={row.call} />
          <CardNote call={row.call} />
        </>
      );
    case 'calls':
      return <CallGroup calls={row.calls} />;
    case 'result':
      return <LoneResult shown={row.shown} />;
    case 'approval':
      return <LoneApproval row={row} />;
    case 'plan':
      return <PlanRow plan={row.shown.block} />;
    case 'attachment':
      return <Attachment block={row.shown.block} />;
    case 'notice':
      return <NoticeRow shown={row.shown} />;
    case 'error':
      return <FaultNotice fault={row.shown.block} />;
    case 'turn-end':
      return <TurnEndRow turn={row.turn} usage={row.usage} />;
  }
}

function NoticeRow({ shown }: Pick<RowOf<'notice'>, 'shown'>) {
  const sentence = useServerSentence();
  const { level, text } = shown.block;
  const retry = readRetry(text);
  if (retry !== undefined) return <RetryRow retry={retry} since={shown.startedAt} />;
  return (
    <Notice tone={level === 'warning' ? 'warn' : 'info'}>
      <Markdown text={sentence(text)} keepsLines className="text-sm" />
    </Notice>
  );
}

function LoneResult({ shown }: Pick<RowOf<'result'>, 'shown'>) {
  const words = conversationWords.use();
  const [isOpen, toggle] = useOpen(`result ${shown.id}`);
  const status = shown.isOpen ? 'Running' : shown.block.is_error === true ? 'Error' : 'Success';
  return (
    <Disclosure
      piece={`result ${shown.id}`}
      isOpen={isOpen}
      onToggle={toggle}
      className="rounded-md border border-line bg-panel"
      summary={
        <>
          <span className="contained truncate">{words.resultOf}</span>
          <CallStatusMark tool={{ status, startedAt: shown.startedAt }} />
        </>
      }
      bodyClassName="border-t border-line p-3"
    >
      <ToolOutput shown={shown} isLive={shown.isOpen} isQuiet={false} />
    </Disclosure>
  );
}

function LoneApproval({ row: { shown, approval } }: { row: RowOf<'approval'> }) {
  const words = approvalWords.use();
  if (approval !== undefined && approval.decided === undefined) return <CallApproval approval={approval} />;
  return (
    <div className="flex flex-col gap-1 rounded-md border border-line bg-panel px-3 py-2">
      <ApprovalDetails parts={askedAbout(approval ?? shown.block).parts} />
      {approval === undefined ? (
        <p className="contained text-xs text-soft">{shown.block.decision?.slice(0, 4000) ?? words.waiting}</p>
      ) : (
        <CallApproval approval={approval} />
      )}
    </div>
  );
}

interface BoundaryProps {
  row: Row;
  instead: ReactNode;
  children: ReactNode;
}

interface BoundaryState {
  row: Row;
  hasFailed: boolean;
}

class RowBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { row: this.props.row, hasFailed: false };

  static getDerivedStateFromError(): Pick<BoundaryState, 'hasFailed'> {
    return { hasFailed: true };
  }

  /** A row that changed is tried again. */
  static getDerivedStateFromProps({ row }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return row === state.row ? null : { row, hasFailed: false };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
