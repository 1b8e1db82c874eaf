import type { HubRunner } from '@dragoman/protocol';
import { History } from 'lucide-react';
import { Chip } from '../../design/chip.tsx';
import { Popover } from '../../design/popover.tsx';
import { nameOf } from '../../folder-picker/path-parts.ts';
import { AgentMark } from '../../marks/mark.tsx';
import { OptionList } from '../../options/option-list.tsx';
import { newSessionWords } from './new-session-words.ts';
import type { Combination } from './recent-combinations.ts';

interface RecentChipProps {
  combinations: readonly Combination[];
  runners: readonly HubRunner[];
  onChoose: (combination: Combination) => void;
}

/** Agent, machine and folder of the latest sessions, to be used again together. */
export function RecentChip({ combinations, runners, onChoose }: RecentChipProps) {
  const words = newSessionWords.use();
  if (combinations.length < 2) return null;
  const aboutOf = ({ agent, runnerId }: Combination) => {
    const machine = runners.find(({ id }) => id === runnerId);
    const title = machine?.agents.find(({ name }) => name === agent)?.title ?? agent;
    return [title, ...(runners.length > 1 && machine !== undefined ? [words.on(machine.name)] : [])].join(' · ');
  };
  return (
    <Popover
      label={words.recent}
      align="start"
      trigger={<Chip label={words.recentAbout} text={words.recent} icon={<History size={15} aria-hidden />} />}
    >
      {(close) => (
        <OptionList
          label={words.recentAbout}
          options={combinations.map((one, index) => ({
            id: String(index),
            text: nameOf(one.folder),
            about: aboutOf(one),
            icon: <AgentMark name={one.agent} size={22} />,
          }))}
          onChoose={(index) => {
            onChoose(combinations[Number(index)]!);
            close();
          }}
        />
      )}
    </Popover>
  );
}
