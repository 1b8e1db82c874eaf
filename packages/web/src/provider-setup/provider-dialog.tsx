import type { Settings } from '@dragoman/protocol/console';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type AnswerOf, useAction } from '../api/calls.ts';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Failure } from '../design/failure.tsx';
import { Segmented } from '../design/segmented.tsx';
import { say } from '../design/toasts.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { type FormProblems, problemsOfSaving, problemsOfTest } from './form-problems.ts';
import { ModelChoice } from './model-choice.tsx';
import { OtherModelsChoice } from './other-models-choice.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { changesOf, hasKey, newForm, type ProviderForm, savedForm, testedProvider } from './provider-form.ts';
import { freeName, type ProviderPreset, suggestModel } from './provider-presets.ts';
import { providerWords } from './provider-words.ts';
import { ServiceChoice } from './service-choice.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { useProviderTest } from './use-provider-test.ts';

interface ProviderDialogProps {
  settings: Settings;
  gateway: AnswerOf<'readGateway'>;
  editing: string | undefined;
  onClose: () => void;
  onSaved: ((name: string) => void) | undefined;
}

/** The dialog itself, once it is known what is there already. What is typed is gone when it closes, so it asks before. */
export function ProviderDialog({ settings, gateway, editing, onClose, onSaved }: ProviderDialogProps) {
  const words = providerWords.use();
  const common = useCommonWords();
  const id = useId();
  const cache = useQueryClient();
  const [preset, setPreset] = useState<ProviderPreset>();
  const [suggested, setSuggested] = useState<string>();
  const [saved] = useState(() => (editing === undefined ? undefined : savedForm(editing, settings)));
  const [form, setForm] = useState<ProviderForm | undefined>(saved);
  const [isTyped, setTyped] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [problems, setProblems] = useState<FormProblems>({});
  const tester = useProviderTest();
  const taken = gateway.providers.map(({ name }) => name);
  const saving = useAction('changeSettings', {
    changes: ['readGateway', 'readSettings', 'listSecrets'],
    onDone: () => {
      const name = form?.name.trim() ?? '';
      // Who did not name it knows it as the service that was picked.
      const known = name === suggested && preset !== undefined ? (preset.title ?? words.compatible) : name;
      say(words.saved(known), 'good', saved === undefined ? { label: words.startSession, to: '/new' } : undefined);
      onSaved?.(name);
      onClose();
    },
  });

  const hasDefault = gateway.routes.some(({ name }) => name === 'default');
  const pick = (picked: ProviderPreset) => {
    const name = freeName(picked.id, taken);
    setPreset(picked);
    setSuggested(name);
    setForm(newForm(picked, name, hasDefault));
  };
  const keepsKey = saved !== undefined && hasKey(saved.name, settings);
  const change = (changes: Partial<ProviderForm>) => {
    setForm((before) => before && { ...before, ...changes });
    setTyped(true);
    setProblems({});
    // What was found out about another address or key says nothing any more.
    if ('apiKey' in changes || 'baseUrl' in changes || 'type' in changes) tester.forget();
  };

  if (form === undefined)
    return (
      <Dialog isOpen onClose={onClose} title={words.title} about={words.about}>
        <ServiceChoice onPick={pick} />
      </Dialog>
    );

  const rules = {
    isNew: saved === undefined,
    taken,
    needsAddress: preset?.asksAddress === true,
    needsKey: preset?.key === 'required',
    losesKey: keepsKey && testedProvider(form, saved) !== saved.name,
  };
  const test = () => {
    const found = problemsOfTest(form, rules);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    tester.test(testedProvider(form, saved), (models) => {
      const model = form.models[0] ?? suggestModel(models, preset ?? { likes: [] });
      if (model !== undefined && form.models.length === 0) change({ models: [model] });
      return model;
    });
  };
  const save = () => {
    const found = problemsOfSaving(form, rules);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    // Whoever tries again changes what is there by then.
    const onError = () => void cache.invalidateQueries({ queryKey: ['readSettings'] });
    saving.mutate(changesOf(form, settings, rules.isNew, offered), { onError });
  };
  const isWell = tester.outcome?.answer?.isWell === true;
  // The next thing to do is what Enter in a field does.
  const next = { look: 'primary', type: 'submit', form: id } as const;
  const offered = tester.outcome?.models ?? [];
  const title = saved === undefined ? (preset?.title ?? words.compatible) : words.editTitle(saved.name);
  return (
    <Dialog
      isOpen
      onClose={() => (isTyped ? setLeaving(true) : onClose())}
      title={title}
      about={saved === undefined ? words.aboutPicked : words.aboutEdited}
      actions={
        <>
          {saved === undefined && (
            <Button look="quiet" className="mr-auto" onClick={() => setForm(undefined)}>
              {words.otherService}
            </Button>
          )}
          <Button {...(isWell ? { onClick: test } : next)} isBusy={tester.isBusy}>
            {common.test}
          </Button>
          <Button {...(isWell ? next : { onClick: save })} isBusy={saving.isPending}>
            {common.save}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        className="flex flex-col gap-3 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWell) save();
          else test();
        }}
      >
        <ProviderFields
          form={form}
          onChange={change}
          problems={problems}
          preset={preset}
          keepsKey={keepsKey}
          kinds={gateway.kinds}
        />
        <TestOutcome isBusy={tester.isBusy} outcome={tester.outcome} error={tester.error} />
        <ModelChoice
          offered={offered}
          chosen={form.models}
          onChange={(models) => change({ models })}
          error={problems.models && words[problems.models]}
        />
        <OtherModelsChoice
          value={form.others}
          offered={offered.length}
          isListed={tester.outcome?.isListing !== false}
          onChange={(others) => change({ others })}
        />
        {hasDefault && (
          <div className="flex flex-col gap-1">
            <span className="text-xs font-medium text-soft">{words.place}</span>
            <Segmented
              label={words.place}
              value={form.place}
              options={(['first', 'last', 'none'] as const).map((value) => ({ value, label: words.places[value] }))}
              onChange={(place) => change({ place })}
            />
          </div>
        )}
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
      <Confirm
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        onConfirm={onClose}
        title={words.leaveTitle}
        confirm={words.leaveYes}
      >
        {words.leaveAbout}
      </Confirm>
    </Dialog>
  );
}
