import type { HubRunner } from '@dragoman/protocol';
import { Monitor, MonitorOff } from 'lucide-react';
import { Chip } from '../../design/chip.tsx';
import { Popover } from '../../design/popover.tsx';
import { OptionList } from '../../options/option-list.tsx';
import { newSessionWords } from './new-session-words.ts';

interface MachineChipProps {
  runners: readonly HubRunner[];
  chosen: HubRunner | undefined;
  onChoose: (id: string) => void;
}

/** On which machine it works. Where there is but one, nobody is asked. */
export function MachineChip({ runners, chosen, onChoose }: MachineChipProps) {
  const words = newSessionWords.use();
  if (runners.length < 2) return null;
  const iconOf = ({ isConnected }: HubRunner) =>
    isConnected ? <Monitor size={15} aria-hidden /> : <MonitorOff size={15} aria-hidden />;
  const server = runners.filter(({ isServer }) => isServer === true).length > 1 ? words.server : words.thisServer;
  const aboutOf = ({ isServer, isConnected }: HubRunner) =>
    [...(isServer === true ? [server] : []), ...(isConnected ? [] : [words.away])].join(' · ');
  return (
    <Popover
      label={words.machine}
      align="start"
      trigger={
        <Chip
          label={words.machine}
          text={chosen === undefined ? '' : chosen.isConnected ? chosen.name : `${chosen.name} · ${words.away}`}
          icon={chosen === undefined ? null : iconOf(chosen)}
        />
      }
    >
      {(close) => (
        <OptionList
          label={words.machine}
          options={runners.map((runner) => ({
            id: runner.id,
            text: runner.name,
            about: aboutOf(runner) || undefined,
            icon: iconOf(runner),
            isChosen: runner.id === chosen?.id,
          }))}
          onChoose={(id) => {
            onChoose(id);
            close();
          }}
        />
      )}
    </Popover>
  );
}
