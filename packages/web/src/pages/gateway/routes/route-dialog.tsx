import { DragomanError } from '@dragoman/protocol/error';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type AnswerOf, callKey, putAnswer, useAction } from '../../../api/calls.ts';
import { client } from '../../../api/client.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextField } from '../../../design/field.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { say } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { gatewayWords } from '../gateway-words.ts';
import { AddTarget } from './add-target.tsx';
import { ChoosePolicy } from './choose-policy.tsx';
import { changesOf, draftOf, mistakesOf, type RouteDraft } from './route-draft.ts';
import { routesWords } from './routes-words.ts';
import { TargetList } from './target-list.tsx';

interface RouteDialogProps {
  gateway: AnswerOf<'readGateway'>;
  /** The route's name; without one, a new route. */
  editing: string | undefined;
  onClose: () => void;
}

/** Edits a route. Whoever saves later is told that somebody saved before, and loses nothing. */
export function RouteDialog({ gateway, editing, onClose }: RouteDialogProps) {
  const words = routesWords.use();
  const common = useCommonWords();
  const cache = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(gateway.routes.find(({ name }) => name === editing)));
  const [isTried, setTried] = useState(false);
  const put = (change: Partial<RouteDraft>) => setDraft((before) => ({ ...before, ...change }));
  const settings = useVersion();
  const save = useAction('changeSettings', {
    changes: ['readGateway'],
    onDone: (answer) => {
      putAnswer(cache, 'readSettings', undefined, answer);
      say(words.saved(draft.name.trim()));
      onClose();
    },
  });
  const others = gateway.routes.map(({ name }) => name).filter((name) => name !== editing);
  const mistakes = mistakesOf(draft, others);
  const wrong = (mistake: keyof typeof words.mistakes | undefined) =>
    isTried && mistake !== undefined ? words.mistakes[mistake] : undefined;
  const trySave = () => {
    setTried(true);
    if (Object.keys(mistakes).length > 0) return;
    save.mutate(
      { changes: changesOf(draft, editing), ...(settings.data !== undefined && { version: settings.data.version }) },
      {
        onError: () => {
          void settings.refetch();
          void cache.invalidateQueries({ queryKey: callKey('readGateway') });
        },
      },
    );
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={editing === undefined ? words.newTitle : words.editTitle(editing)}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" isBusy={save.isPending} disabled={settings.isPending} onClick={trySave}>
            {common.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {save.error !== null && (
          <SaveProblem
            error={save.error}
            isMoved={settings.data?.version !== save.variables?.version}
            isNew={editing === undefined}
            route={gateway.routes.find(({ name }) => name === editing)}
            onTake={(theirs) => {
              setDraft(theirs);
              save.reset();
            }}
          />
        )}
        {settings.error !== null && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
        <TextField
          label={words.name}
          hint={words.nameHint}
          error={wrong(mistakes.name)}
          value={draft.name}
          onChange={({ target }) => put({ name: target.value })}
        />
        <div className="flex flex-col gap-2">
          <h3 className="text-xs font-medium text-soft">{words.targets}</h3>
          <TargetList
            targets={draft.targets}
            onChange={(change) => setDraft((before) => ({ ...before, targets: change(before.targets) }))}
          />
          <AddTarget
            gateway={gateway}
            targets={draft.targets}
            error={wrong(mistakes.targets)}
            onAdd={(target) => put({ targets: [...draft.targets, target] })}
          />
        </div>
        <ChoosePolicy draft={draft} weightsError={wrong(mistakes.weights)} put={put} />
        <RouteOptions
          draft={draft}
          temperatureError={wrong(mistakes.temperature)}
          maxTokensError={wrong(mistakes.maxTokens)}
          put={put}
        />
      </div>
    </Dialog>
  );
}

/** The version of the settings that a dialog starts from. It is read once, and again only when a save was refused. */
function useVersion() {
  const id = useId();
  return useQuery({
    queryKey: ['readSettings', id],
    queryFn: ({ signal }) => client.readSettings({}, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  });
}

interface RouteOptionsProps {
  draft: RouteDraft;
  temperatureError: string | undefined;
  maxTokensError: string | undefined;
  put: (change: Partial<RouteDraft>) => void;
}

function RouteOptions({ draft, temperatureError, maxTokensError, put }: RouteOptionsProps) {
  const words = routesWords.use();
  const redactions = (['inherit', 'on', 'off'] as const).map((value) => ({ value, label: words.redactions[value] }));
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <h3 className="text-xs font-medium text-soft sm:col-span-2">{words.options}</h3>
        <TextField
          label={words.temperatureLabel}
          inputMode="decimal"
          placeholder={words.leftOpen}
          error={temperatureError}
          value={draft.temperature}
          onChange={({ target }) => put({ temperature: target.value })}
        />
        <TextField
          label={words.maxTokensLabel}
          inputMode="numeric"
          placeholder={words.leftOpen}
          error={maxTokensError}
          value={draft.maxTokens}
          onChange={({ target }) => put({ maxTokens: target.value })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 pb-2">
        <span className="text-sm">{words.redaction}</span>
        <Segmented
          label={words.redaction}
          value={draft.redaction}
          options={redactions}
          onChange={(redaction) => put({ redaction })}
        />
      </div>
    </>
  );
}

interface SaveProblemProps {
  error: Error;
  /** Somebody else has changed the settings. */
  isMoved: boolean;
  isNew: boolean;
  /** As it is in force now. */
  route: AnswerOf<'readGateway'>['routes'][number] | undefined;
  onTake: (theirs: RouteDraft) => void;
}

function SaveProblem({ error, isMoved, isNew, route, onTake }: SaveProblemProps) {
  const words = routesWords.use();
  const gateway = gatewayWords.use();
  if (!isMoved || !(error instanceof DragomanError && error.code === 'conflict')) return <Failure error={error} />;
  if (route === undefined)
    return (
      <Notice tone="warn" title={gateway.conflict}>
        {isNew ? words.conflictNew : words.conflictGone}
      </Notice>
    );
  return (
    <Notice
      tone="warn"
      title={gateway.conflict}
      action={
        <Button size="small" onClick={() => onTake(draftOf(route))}>
          {words.takeTheirs}
        </Button>
      }
    >
      {words.conflictText(route.targets.join(' → '))}
    </Notice>
  );
}
