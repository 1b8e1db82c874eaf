import { Code } from '../code/code-block.tsx';
import { languageOf } from '../code/grammars.ts';
import { LongText } from '../code/long-text.tsx';
import { visibleText } from '../code/visible-text.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { CardPart } from './card-part.tsx';
import { conversationWords } from './conversation-words.ts';
import { prettyJson } from './pretty-json.ts';
import type { ShownOf } from '@dragoman/protocol';

const COMMANDS = ['command', 'cmd', 'script'];
/** What a change says better. */
const CHANGES = new Set([
  'oldString',
  'newString',
  'old_string',
  'new_string',
  'content',
  'patchText',
  'patch',
  'edits',
  'changes',
  'diff',
]);
const MAX_FIELDS = 40;

/** What a call was given: a command as code, everything else by its name; but for what its line has `said`. */
export function ToolInput({ shown, hasDiffs, said }: { shown: ShownOf<'tool_use'>; hasDiffs: boolean; said: string }) {
  const words = conversationWords.use();
  const { input } = shown.block;
  if (shown.isOpen && Object.keys(input).length === 0) {
    if ((shown.inputText ?? '') === '') return null;
    return (
      <CardPart title={words.inputSoFar}>
        <LongText text={shown.inputText ?? ''} isGrowing />
      </CardPart>
    );
  }
  const command = COMMANDS.map((name) => commandIn(input[name])).find((text) => text !== undefined);
  const fields = Object.entries(input).filter(
    ([name, value]) =>
      value !== undefined &&
      value !== null &&
      !(typeof value === 'string' && isIn(value, said)) &&
      !(command !== undefined && COMMANDS.includes(name)) &&
      !(hasDiffs && CHANGES.has(name)),
  );
  if (command === undefined && fields.length === 0) return null;
  return (
    <CardPart
      title={words.input}
      actions={command !== undefined && <CopyButton text={command} label={words.copyCommand} className="size-6!" />}
    >
      <div className="flex flex-col gap-2">
        {command !== undefined && <Code text={command} language="bash" isBare />}
        {fields.length > 0 && <Fields fields={fields.slice(0, MAX_FIELDS)} path={pathIn(input)} />}
      </div>
    </CardPart>
  );
}

function Fields({ fields, path }: { fields: readonly (readonly [string, unknown])[]; path: string | undefined }) {
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
      {fields.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="contained max-w-40 text-faint">{visibleText(name.slice(0, 200))}</dt>
          <dd className="min-w-0">
            <Value value={value} language={CHANGES.has(name) && path !== undefined ? languageOf(path) : undefined} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, language }: { value: unknown; language: string | undefined }) {
  const words = conversationWords.use();
  if (typeof value === 'string') {
    const isLong = value.includes('\n') || value.length > 300;
    if (!isLong) return <span className="contained block font-mono">{visibleText(value)}</span>;
    return <Code text={value} language={language} className="max-h-80 overflow-y-auto" />;
  }
  if (typeof value === 'number' || typeof value === 'boolean')
    return <span className="contained block font-mono">{String(value)}</span>;
  const text = prettyJson(value);
  if (text === undefined) return <span className="text-faint">{words.tooDeep}</span>;
  return text.length <= 80 && !text.includes('\n') ? (
    <span className="contained block font-mono">{visibleText(text)}</span>
  ) : (
    <Code text={text} language="json" className="max-h-80 overflow-y-auto" />
  );
}

/** Whether a line that is in sight says it already. */
function isIn(value: string, said: string): boolean {
  return value === said || said.startsWith(`${value}:`) || said.endsWith(`: ${value}`);
}

function commandIn(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')
    ? value.join(' ')
    : undefined;
}

function pathIn(input: Readonly<Record<string, unknown>>): string | undefined {
  const path = input['filePath'] ?? input['file_path'] ?? input['path'];
  return typeof path === 'string' ? path : undefined;
}
