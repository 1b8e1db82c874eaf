import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Panel } from '../../../design/page.tsx';
import { say } from '../../../design/toasts.tsx';
import { settingsWords } from '../settings-words.ts';
import type { EditedSettings } from '../shared/use-settings.ts';
import { permissionsWords } from './permissions-words.ts';
import { permissionsOf, type RuleAction, type RuleLine, ruleLines, ruleMistake } from './rule-lines.ts';

const ACTIONS: readonly RuleAction[] = ['allow', 'ask', 'deny'];

interface RuleTableProps {
  edited: EditedSettings;
  /** The section as the file has it. */
  given: unknown;
  /** The id of a list of tools to choose from. */
  toolsId: string;
  isDisabled: boolean;
}

/** The rules of the configuration, to be changed and saved together. */
export function RuleTable({ edited, given, toolsId, isDisabled }: RuleTableProps) {
  const words = permissionsWords.use();
  const shared = settingsWords.use();
  const [lines, setLines] = useState(() => ruleLines(given));
  const mistake = ruleMistake(lines);
  const isChanged = JSON.stringify(permissionsOf(lines)) !== JSON.stringify(permissionsOf(ruleLines(given)));
  const put = (id: number, change: Partial<RuleLine>) =>
    setLines(lines.map((line) => (line.id === id ? { ...line, ...change } : line)));
  const add = () =>
    setLines([...lines, { id: Math.max(-1, ...lines.map(({ id }) => id)) + 1, action: 'ask', tool: '', pattern: '' }]);
  const save = () => {
    if (mistake !== undefined) return;
    const change = { path: ['permissions'], ...(lines.length > 0 && { value: permissionsOf(lines) }) };
    edited.change({ changes: [change] }, () => say(shared.saved));
  };
  return (
    <Panel>
      {lines.length === 0 ? (
        <p className="px-3 py-3 text-sm text-soft">{words.noRules}</p>
      ) : (
        <ol className="divide-y divide-line">
          {lines.map((line, index) => (
            <li key={line.id} className="flex flex-wrap items-center gap-1.5 px-3 py-2">
              <Line
                line={line}
                row={index + 1}
                toolsId={toolsId}
                isDisabled={isDisabled}
                onChange={(change) => put(line.id, change)}
                onRemove={() => setLines(lines.filter(({ id }) => id !== line.id))}
              />
            </li>
          ))}
        </ol>
      )}
      {edited.saveError !== null && (
        <div className="px-3 pb-2">
          <Failure error={edited.saveError} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
        <Button size="small" look="quiet" icon={<Plus size={14} aria-hidden />} disabled={isDisabled} onClick={add}>
          {words.add}
        </Button>
        <span role="status" className="flex-1 text-xs text-bad">
          {isChanged && mistake === 'tool-missing' && words.toolMissing}
          {mistake === 'twice' && words.twice}
        </span>
        {(isChanged || mistake !== undefined) && (
          <>
            <Button size="small" onClick={() => setLines(ruleLines(given))}>
              {words.undo}
            </Button>
            <Button
              size="small"
              look="primary"
              disabled={mistake !== undefined}
              isBusy={edited.isSaving}
              onClick={save}
            >
              {words.save}
            </Button>
          </>
        )}
      </div>
    </Panel>
  );
}

interface LineProps {
  line: RuleLine;
  row: number;
  toolsId: string;
  isDisabled: boolean;
  onChange: (change: Partial<RuleLine>) => void;
  onRemove: () => void;
}

function Line({ line, row, toolsId, isDisabled, onChange, onRemove }: LineProps) {
  const words = permissionsWords.use();
  return (
    <>
      <SelectField
        label={words.actionOf(row)}
        isLabelHidden
        className="w-24"
        value={line.action}
        disabled={isDisabled}
        onChange={(event) => onChange({ action: event.target.value as RuleAction })}
      >
        {ACTIONS.map((action) => (
          <option key={action} value={action}>
            {words.actions[action]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.toolOf(row)}
        isLabelHidden
        className="min-w-24 flex-1 sm:max-w-44"
        placeholder={words.tool}
        list={toolsId}
        value={line.tool}
        disabled={isDisabled}
        onChange={(event) => onChange({ tool: event.target.value })}
      />
      <TextField
        label={words.patternOf(row)}
        isLabelHidden
        className="min-w-32 flex-2"
        placeholder={words.patternPlaceholder}
        value={line.pattern}
        disabled={isDisabled}
        onChange={(event) => onChange({ pattern: event.target.value })}
      />
      <IconButton
        label={words.removeRule(row)}
        icon={<Trash2 size={14} aria-hidden />}
        disabled={isDisabled}
        onClick={onRemove}
      />
    </>
  );
}
