import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { CopyLine } from '../../../design/copy-button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField } from '../../../design/field.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { CLIENT_GUIDES } from './client-guides.ts';
import { ClientChoice } from './client-choice.tsx';
import { connectWords } from './connect-words.ts';
import { GuideSteps } from './guide-steps.tsx';
import { type ClientTokenRole, MakeToken } from './make-token.tsx';

/** Stands where a token will be. */
const NO_TOKEN = 'DGM_YOUR_TOKEN';

/** How to connect each client: what it needs, and the texts to copy, filled in. */
export function ConnectPart() {
  const words = connectWords.use();
  const about = useCall('about');
  const gateway = useCall('readGateway');
  const [clientId, setClientId] = useState(CLIENT_GUIDES[0]!.id);
  const [model, setModel] = useState<string>();
  const [tokens, setTokens] = useState<Partial<Record<ClientTokenRole, string>>>({});
  const guide = CLIENT_GUIDES.find(({ id }) => id === clientId) ?? CLIENT_GUIDES[0]!;
  const error = about.error ?? gateway.error;
  if (about.data === undefined || gateway.data === undefined)
    return error === null ? (
      <SkeletonRows rows={4} height="h-16" />
    ) : (
      <Failure error={error} onRetry={() => void Promise.all([about.refetch(), gateway.refetch()])} />
    );

  const { publicUrl: url } = about.data;
  const names = gateway.data.models;
  const chosen = model ?? (names.includes('default') ? 'default' : (names[0] ?? 'default'));
  const title = guide.title ?? words.any;
  const role = guide.tokenRole ?? 'models';
  const token = tokens[role];
  return (
    <>
      <Section title={words.title}>
        <Panel className="grid gap-x-8 gap-y-5 p-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <div className="flex flex-col gap-1">
              <h3 className="text-xs font-medium text-soft">{words.address}</h3>
              <CopyLine text={url} />
            </div>
            <SelectField
              label={words.model}
              hint={words.modelHint}
              value={chosen}
              onChange={({ target }) => setModel(target.value)}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </SelectField>
          </div>
          <MakeToken
            key={title}
            suggestion={title}
            role={role}
            token={token}
            onMade={(made) => setTokens({ ...tokens, [role]: made })}
          />
        </Panel>
      </Section>
      <Section title={words.how}>
        <ClientChoice chosen={guide.id} onChoose={setClientId} />
        <GuideSteps key={guide.id} steps={guide.steps({ url, token: token ?? NO_TOKEN, model: chosen })} />
      </Section>
    </>
  );
}
