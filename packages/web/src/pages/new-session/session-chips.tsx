import type { HubRunner, HubSession } from '@dragoman/protocol';
import { Cpu, GitBranch, SlidersHorizontal } from 'lucide-react';
import { neverStarted } from '../../api/never-started.ts';
import type { KnownChoices } from '../../api/known-choices.ts';
import { Chip } from '../../design/chip.tsx';
import { ModelMark } from '../../marks/mark.tsx';
import { AgentChip } from './agent-chip.tsx';
import { ChoiceChip } from './choice-chip.tsx';
import { FolderChip } from './folder-chip.tsx';
import type { KeptChoice } from './kept-choice.ts';
import { MachineChip } from './machine-chip.tsx';
import { newSessionWords } from './new-session-words.ts';
import { RecentChip } from './recent-chip.tsx';
import { recentCombinations } from './recent-combinations.ts';
import type { LikelySession } from './session-draft.ts';

interface SessionChipsProps {
  likely: LikelySession;
  known: KnownChoices;
  runners: readonly HubRunner[];
  sessions: readonly HubSession[];
  /** Absent where the folder is no repository. */
  worktree: boolean | undefined;
  wrong: 'agent' | 'folder' | undefined;
  onChange: (changes: KeptChoice) => void;
}

/** Where and how the session works, each a chip that opens its choices. */
export function SessionChips({ likely, known, runners, sessions, worktree, wrong, onChange }: SessionChipsProps) {
  const words = newSessionWords.use();
  const { runner, agent, folder, model, mode } = likely;
  const before = sessions.filter((session) => session.agent === agent?.name && !neverStarted(session));
  return (
    <div role="group" aria-label={words.choices} className="flex flex-wrap items-center gap-1.5">
      <AgentChip
        agents={runner?.agents ?? []}
        chosen={agent}
        isWrong={wrong === 'agent'}
        onChoose={(name) => onChange({ agent: name, model: undefined, mode: undefined })}
      />
      <MachineChip
        runners={runners}
        chosen={runner}
        onChoose={(runnerId) => onChange({ runnerId, folder: undefined })}
      />
      <FolderChip
        runnerId={runner?.id}
        folder={folder}
        isWrong={wrong === 'folder'}
        onChange={(path) => onChange({ runnerId: runner?.id, folder: path })}
      />
      {agent?.capabilities.models === true && (
        <ChoiceChip
          label={words.model}
          icon={<Cpu size={15} aria-hidden />}
          markOf={(name) => <ModelMark name={name} />}
          usual={words.defaultModel}
          usualName={known.usualModel}
          placeholder={words.findModel}
          names={namesIn([...known.models, ...before.map((session) => session.model)])}
          chosen={model}
          onChoose={(name) => onChange({ agent: agent.name, model: name })}
        />
      )}
      {agent?.capabilities.modes === true && (
        <ChoiceChip
          label={words.mode}
          icon={<SlidersHorizontal size={15} aria-hidden />}
          usual={words.defaultMode}
          usualName={agent.usual?.mode}
          aboutOf={(name) => (known.modes.includes(name) ? words.modes[name as keyof typeof words.modes] : undefined)}
          placeholder={words.findMode}
          names={namesIn([...known.modes, ...before.map((session) => session.mode)])}
          chosen={mode}
          onChoose={(name) => onChange({ agent: agent.name, mode: name })}
        />
      )}
      {worktree !== undefined && (
        <Chip
          label={words.worktree}
          text={words.worktree}
          title={words.worktreeAbout}
          icon={<GitBranch size={15} aria-hidden />}
          isPressed={worktree}
          onClick={() => onChange({ worktree: !worktree })}
        />
      )}
      <RecentChip combinations={recentCombinations(sessions, runners)} runners={runners} onChoose={onChange} />
    </div>
  );
}

function namesIn(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name !== undefined);
}
