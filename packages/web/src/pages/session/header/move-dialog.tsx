import type { HubSessionInfo } from '@dragoman/protocol';
import { useState } from 'react';
import { putAnswer, useAction } from '../../../api/calls.ts';
import { useUsableRunners } from '../../../api/runners.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField } from '../../../design/field.tsx';
import { Notice } from '../../../design/notice.tsx';
import { FolderPicker } from '../../../folder-picker/folder-picker.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { sessionWords } from '../session-words.ts';

interface MoveDialogProps {
  info: HubSessionInfo;
  onClose: () => void;
}

/** Moves a session to another machine that is connected, to a folder and an agent there. It is shown while it is open. */
export function MoveDialog({ info, onClose }: MoveDialogProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const sessionId = info.id;
  const runners = useUsableRunners()?.filter(({ isConnected }) => isConnected) ?? [];
  const [chosenId, setChosenId] = useState<string>();
  const [folder, setFolder] = useState(info.folder);
  const [chosenAgent, setAgent] = useState(info.agent);
  const runner =
    runners.find(({ id }) => id === chosenId) ?? runners.find(({ id }) => id !== info.runnerId) ?? runners[0];
  const agents = runner?.agents.filter(({ problem }) => problem === undefined) ?? [];
  const agent = agents.find(({ name }) => name === chosenAgent) ?? agents[0];
  const move = useAction('moveSession', {
    changes: ['listSessions'],
    onDone: (session, _input, cache) => {
      putAnswer(cache, 'getSession', { sessionId }, session);
      onClose();
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.moveTitle}
      about={words.moveAbout}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="primary"
            isBusy={move.isPending}
            disabled={runner === undefined || agent === undefined}
            onClick={() => {
              if (runner !== undefined && agent !== undefined)
                move.mutate({ sessionId, runnerId: runner.id, folder, agent: agent.name });
            }}
          >
            {words.moveYes}
          </Button>
        </>
      }
    >
      {runner === undefined ? (
        <Notice tone="warn">{words.moveNowhere}</Notice>
      ) : (
        <div className="space-y-3">
          <SelectField label={words.moveMachine} value={runner.id} onChange={({ target }) => setChosenId(target.value)}>
            {runners.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <FolderPicker runnerId={runner.id} value={folder} onChange={setFolder} label={words.moveFolder} />
          <SelectField
            label={words.moveAgent}
            value={agent?.name ?? ''}
            onChange={({ target }) => setAgent(target.value)}
          >
            {agents.map(({ name, title }) => (
              <option key={name} value={name}>
                {title ?? name}
              </option>
            ))}
          </SelectField>
          {move.error !== null && <Failure error={move.error} />}
        </div>
      )}
    </Dialog>
  );
}
