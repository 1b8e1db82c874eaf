import { unreadableText } from '@dragoman/protocol';
import type { PermissionAnswer } from '@dragoman/protocol/console';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useState } from 'react';
import { useAction, useCall } from '../../../api/calls.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page.tsx';
import { FolderPicker } from '../../../folder-picker/folder-picker.tsx';
import { useServerSentence } from '../../../words/server-sentences.ts';
import { permissionsWords } from './permissions-words.ts';
import type { RuleAction } from './rule-lines.ts';

const TONES: Record<RuleAction, Tone> = { allow: 'good', ask: 'warn', deny: 'bad' };
const ICONS = {
  allow: <CircleCheck size={18} aria-hidden className="shrink-0 text-good" />,
  ask: <CircleHelp size={18} aria-hidden className="shrink-0 text-warn" />,
  deny: <CircleX size={18} aria-hidden className="shrink-0 text-bad" />,
};

/** Asks the rules what would become of a call, and shows which of them says so. */
export function Tester({ toolsId }: { toolsId: string }) {
  const words = permissionsWords.use();
  const [folder, setFolder] = useState('');
  const [agent, setAgent] = useState('');
  const [tool, setTool] = useState('bash');
  const [value, setValue] = useState('');
  const agents = useCall('readWorkplace', {}, { staleMs: 30_000 }).data?.agents ?? [];
  const ask = useAction('explainPermission');
  return (
    <Panel className="p-3">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate({
            tool: tool.trim(),
            value,
            ...(folder !== '' && { folder }),
            ...(agent !== '' && { agent }),
          });
        }}
      >
        <div className="flex flex-wrap gap-3">
          <TextField
            label={words.tool}
            className="w-full sm:w-44"
            list={toolsId}
            required
            value={tool}
            onChange={(event) => setTool(event.target.value)}
          />
          <TextField
            label={words.value}
            hint={words.valueHint}
            className="min-w-52 flex-1"
            placeholder={words.valuePlaceholder}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
          <SelectField
            label={words.agent}
            className="w-full sm:w-40"
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          >
            <option value="">{words.usualAgent}</option>
            {agents.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        </div>
        <FolderPicker label={words.folder} hint={words.folderHint} value={folder} onChange={setFolder} />
        <div>
          <Button look="primary" type="submit" isBusy={ask.isPending} disabled={tool.trim() === ''}>
            {words.ask}
          </Button>
        </div>
      </form>
      <div aria-live="polite" className="mt-3 empty:hidden">
        {ask.error !== null && <Failure error={ask.error} />}
        {ask.data !== undefined && <Answer answer={ask.data} />}
      </div>
    </Panel>
  );
}

function Answer({ answer: { action, note, subjects } }: { answer: PermissionAnswer }) {
  const words = permissionsWords.use();
  return (
    <div className="flex flex-col gap-2.5 border-t border-line pt-3">
      <p className="flex items-center gap-2 font-medium">
        {ICONS[action]}
        {words.outcomes[action]}
      </p>
      {note !== undefined && <Notice>{note}</Notice>}
      <ul className="flex flex-col gap-2">
        {subjects.map((subject, index) => (
          <li key={index} className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            <Subject subject={subject} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Subject({
  subject: { action, kind, value, reason, rules },
}: {
  subject: PermissionAnswer['subjects'][number];
}) {
  const words = permissionsWords.use();
  const sentence = useServerSentence();
  const kinds: Partial<Record<string, string>> = words.subject;
  const unreadable = kind === 'command' ? unreadableText(value ?? '') : undefined;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[action]}>{words.actions[action]}</Badge>
        <span className="text-xs text-faint">
          {unreadable === undefined ? (kind === undefined ? words.asWhole : (kinds[kind] ?? kind)) : words.unreadable}
        </span>
        {value !== undefined && <code className="contained font-mono text-xs">{visibleText(unreadable ?? value)}</code>}
      </p>
      <p className="contained mt-1">{visibleText(sentence(reason))}</p>
      {rules.length === 0 ? (
        <p className="mt-1 text-xs text-faint">{words.noMatch}</p>
      ) : (
        <details className="mt-1">
          <summary className="text-xs text-soft hover:text-ink">{words.matching}</summary>
          <ol className="mt-1 list-decimal pl-5 text-xs text-soft">
            {rules.map((rule, index) => (
              <li key={index} className="contained">
                {words.actions[rule.action]} {rule.tool} <code className="font-mono">{rule.pattern}</code>
                <span className="text-faint">{` (${rule.origin})`}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
