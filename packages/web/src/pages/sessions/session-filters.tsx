import type { HubRunner, HubSession } from '@dragoman/protocol';
import { Archive, ListFilter, Pin } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRunners } from '../../api/runners.ts';
import { useSessions } from '../../api/sessions.ts';
import type { SessionsSearch } from '../../app/router.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Popover } from '../../design/popover.tsx';
import { useCommonWords } from '../../words/common-words.ts';
import { folderName } from '../../arrangement/list-rows.ts';
import { filtersIn, NO_FILTERS, type SearchChange, STATUSES } from './sessions-search.ts';
import { sessionsWords } from './sessions-words.ts';

interface FiltersProps {
  search: SessionsSearch;
  onChange: (change: SearchChange) => void;
}

/** What the list is narrowed down to; all of it stands in the address. Behind one button where there is no room. */
export function SessionFilters(props: FiltersProps) {
  const words = sessionsWords.use();
  const count = filtersIn(props.search);
  return (
    <>
      <div className="hidden flex-wrap items-center gap-2 xl:flex">
        <FilterFields {...props} />
        {count > 0 && <ClearFilters {...props} />}
      </div>
      <div className="xl:hidden">
        <Popover
          label={words.filters}
          trigger={
            <Button size="small" icon={<ListFilter size={14} aria-hidden />}>
              {count === 0 ? words.filters : words.filtersInForce(count)}
            </Button>
          }
        >
          <div className="flex flex-col gap-2">
            <FilterFields {...props} />
            {count > 0 && <ClearFilters {...props} />}
          </div>
        </Popover>
      </div>
    </>
  );
}

function ClearFilters({ onChange }: FiltersProps) {
  const words = sessionsWords.use();
  return (
    <Button size="small" look="quiet" onClick={() => onChange(NO_FILTERS)}>
      {words.clearFilters}
    </Button>
  );
}

function FilterFields({ search, onChange }: FiltersProps) {
  const words = sessionsWords.use();
  const common = useCommonWords();
  const { sessions = [] } = useSessions();
  const { runners = [] } = useRunners();
  return (
    <>
      <Choice
        label={words.status}
        none={words.anyStatus}
        value={search.status}
        onChoose={(status) => onChange({ status })}
      >
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {common.sessionStatus[status]}
          </option>
        ))}
      </Choice>
      <Choice label={words.agent} none={words.anyAgent} value={search.agent} onChoose={(agent) => onChange({ agent })}>
        {valuesOf(sessions, 'agent', search.agent).map((agent) => (
          <option key={agent} value={agent}>
            {titleOf(runners, agent)}
          </option>
        ))}
      </Choice>
      {(runners.length > 1 || search.runner !== undefined) && (
        <Choice
          label={words.machine}
          none={words.anyMachine}
          value={search.runner}
          onChoose={(runner) => onChange({ runner })}
        >
          {runners.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <Choice
        label={words.folder}
        none={words.anyFolder}
        value={search.folder}
        onChoose={(folder) => onChange({ folder })}
      >
        {valuesOf(sessions, 'folder', search.folder).map((folder) => (
          <option key={folder} value={folder} title={folder}>
            {folderName(folder)}
          </option>
        ))}
      </Choice>
      <Toggle
        icon={<Pin size={13} aria-hidden />}
        isOn={search.pinned === true}
        onToggle={(pinned) => onChange({ pinned })}
      >
        {words.pinnedOnly}
      </Toggle>
      <Toggle
        icon={<Archive size={13} aria-hidden />}
        isOn={search.archived === true}
        onToggle={(archived) => onChange({ archived })}
      >
        {words.archivedOnly}
      </Toggle>
    </>
  );
}

interface ChoiceProps {
  label: string;
  none: string;
  value: string | undefined;
  onChoose: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, none, value = '', onChoose, children }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      isLabelHidden
      className="xl:w-32"
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{none}</option>
      {children}
    </SelectField>
  );
}

interface ToggleProps {
  icon: ReactNode;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  children: ReactNode;
}

function Toggle({ icon, isOn, onToggle, children }: ToggleProps) {
  return (
    <Button
      size="small"
      icon={icon}
      aria-pressed={isOn}
      onClick={() => onToggle(!isOn)}
      className={isOn ? 'border-accent bg-accent-wash text-accent-strong' : ''}
    >
      {children}
    </Button>
  );
}

/** An agent is called the same as elsewhere; machines may differ in what they call it. */
function titleOf(runners: readonly HubRunner[], agent: string): string {
  const titles = runners.flatMap(({ agents }) => agents.filter(({ name }) => name === agent).map(({ title }) => title));
  return titles[0] ?? agent;
}

/** What there is to choose from: what sessions have, and what is chosen already. */
function valuesOf(sessions: readonly HubSession[], key: 'agent' | 'folder', chosen: string | undefined): string[] {
  const values = new Set(sessions.map((session) => session[key]));
  if (chosen !== undefined) values.add(chosen);
  return [...values].toSorted((one, other) => one.localeCompare(other));
}
