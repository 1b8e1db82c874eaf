import { Link } from '@tanstack/react-router';
import { Folder, GitBranch, Info, Monitor } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useCall } from '../../../api/calls.ts';
import { CopyButton } from '../../../design/copy-button.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Popover } from '../../../design/popover.tsx';
import { AgentMark } from '../../../marks/mark.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { sessionWords } from '../session-words.ts';
import type { SessionHead } from './session-head.ts';

/** Where a session works, and who works there: in a line on a desktop. */
export const SessionFacts = memo(function SessionFacts({ head }: { head: SessionHead }) {
  const common = useCommonWords();
  const words = sessionWords.use();
  const { agent, machine, branch } = useFacts(head);
  return (
    <ul className="hidden min-w-0 flex-1 items-center gap-x-3 text-xs text-faint @3xl:flex">
      <Fact icon={<AgentMark name={head.info.agent} title={agent} size={14} />} label={words.agent} text={agent} />
      <Fact icon={<Monitor size={12} aria-hidden />} label={words.machine} text={machine} />
      <li className="flex min-w-0 items-center gap-1" title={common.named(words.folder, head.cwd)}>
        <Folder size={12} aria-hidden className="shrink-0" />
        <span className="sr-only">{words.folder}</span>
        {/* The end of a path says more than its beginning. */}
        <span className="contained truncate" dir="rtl">
          <bdi>{head.cwd}</bdi>
        </span>
        <CopyButton text={head.cwd} label={words.copyFolder} className="-my-1 size-5" />
      </li>
      {branch !== undefined && <Fact icon={<GitBranch size={12} aria-hidden />} label={words.branch} text={branch} />}
    </ul>
  );
});

function Fact({ icon, label, text }: { icon: ReactNode; label: string; text: string }) {
  const common = useCommonWords();
  return (
    <li className="flex max-w-40 min-w-0 shrink-0 items-center gap-1" title={common.named(label, text)}>
      {icon}
      <span className="sr-only">{label}</span>
      <span className="contained truncate">{text}</span>
    </li>
  );
}

/** The same and more, to be opened where there is no room for a line. */
export const SessionDetails = memo(function SessionDetails({ head }: { head: SessionHead }) {
  const words = sessionWords.use();
  const formats = useFormats();
  const { agent, machine, branch } = useFacts(head);
  const { by, forkedFrom } = head.info;
  return (
    <Popover label={words.details} trigger={<IconButton label={words.details} icon={<Info size={15} aria-hidden />} />}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-xs">
        <Detail label={words.agent}>{agent}</Detail>
        <Detail label={words.machine}>{machine}</Detail>
        <Detail label={words.folder}>
          {head.cwd}
          <CopyButton text={head.cwd} label={words.copyFolder} className="-my-1.5 ml-1 size-6 align-middle" />
        </Detail>
        {branch !== undefined && <Detail label={words.branch}>{branch}</Detail>}
        {by.type === 'user' && <Detail label={words.startedBy}>{by.name}</Detail>}
        <Detail label={words.started}>{formats.moment(head.createdAt)}</Detail>
        {forkedFrom !== undefined && (
          <Detail label={words.forkedFrom}>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: forkedFrom.sessionId }}
              className="text-accent underline"
            >
              {words.anotherSession}
            </Link>
          </Detail>
        )}
      </dl>
    </Popover>
  );
});

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{label}</dt>
      <dd className="contained">{children}</dd>
    </>
  );
}

function useFacts({ info, branch }: SessionHead) {
  const runner = useCall('listRunners').data?.runners.find(({ id }) => id === info.runnerId);
  const offer = runner?.agents.find(({ name }) => name === info.agent);
  return { agent: offer?.title ?? info.agent, machine: runner?.name ?? info.runnerId, branch };
}
