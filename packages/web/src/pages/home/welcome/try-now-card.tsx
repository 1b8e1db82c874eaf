import { useNavigate } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { useUsableRunners } from '../../../api/runners.ts';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextAreaField } from '../../../design/field.tsx';
import { FolderPicker } from '../../../folder-picker/folder-picker.tsx';
import { useFolderCheck } from '../../../folder-picker/use-folder-check.ts';
import { homeWords } from '../home-words.ts';
import { WelcomeCard } from './welcome-card.tsx';

/** The model that is always there. */
const OFFLINE_MODEL = 'offline/offline';

/** A real question about a real folder, answered without a key. */
export function TryNowCard() {
  const { welcome: words } = homeWords.use();
  const navigate = useNavigate();
  const [folder, setFolder] = useState('');
  const [typed, setTyped] = useState<string>();
  const machine = useUsableRunners()?.[0];
  // Machines offer the usual agent first; one that uses the models of the server has the offline model.
  const agent = machine?.agents.find(({ problem, choices }) => problem === undefined && choices?.models === 'gateway');
  const check = useFolderCheck(machine?.id, folder);
  const [isTried, setTried] = useState(false);
  const question = typed ?? words.suggestions.config;
  const start = useAction('createSession', {
    onDone: ({ id }) => void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } }),
  });
  const ask = () => {
    setTried(true);
    if (machine === undefined || agent === undefined || folder.trim() === '' || question.trim() === '') return;
    check.before(() =>
      start.mutate({
        agent: agent.name,
        model: OFFLINE_MODEL,
        folder: folder.trim(),
        prompt: { text: question.trim(), channel: 'web' },
        runnerId: machine.id,
      }),
    );
  };
  return (
    <WelcomeCard icon={<Sparkles size={18} aria-hidden />} title={words.tryTitle} text={words.tryText}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <FolderPicker
          value={folder}
          onChange={setFolder}
          startsOpen
          error={isTried && folder.trim() === '' ? words.folderWanted : check.problem}
        />
        <TextAreaField
          label={words.question}
          rows={2}
          value={question}
          error={isTried && question.trim() === '' ? words.questionWanted : undefined}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
            event.preventDefault();
            ask();
          }}
        />
        <ul aria-label={words.questions} className="flex flex-wrap gap-1.5">
          {Object.values(words.suggestions)
            .filter((suggestion) => suggestion !== question)
            .map((suggestion) => (
              <li key={suggestion}>
                <button
                  type="button"
                  onClick={() => setTyped(suggestion)}
                  className="rounded-full border border-line px-2.5 py-0.5 text-xs text-soft hover:bg-hover hover:text-ink"
                >
                  {suggestion}
                </button>
              </li>
            ))}
        </ul>
        {start.error !== null && <Failure error={start.error} />}
        <Button
          type="submit"
          look="primary"
          className="self-start"
          disabled={agent === undefined}
          isBusy={check.isBusy || start.isPending || start.isSuccess}
        >
          {words.ask}
        </Button>
      </form>
    </WelcomeCard>
  );
}
