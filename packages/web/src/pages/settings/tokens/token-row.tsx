import type { TokenSummary } from '@dragoman/protocol/console';
import { KeyRound, Monitor } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { tokenModelsWords } from '../../../token-models/token-models-words.ts';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { settingsWords } from '../settings-words.ts';
import { Row } from '../shared/rows.tsx';
import { tokensWords } from './tokens-words.ts';

/** A token or a login, and how it is ended. */
export function TokenRow({ token, isMine }: { token: TokenSummary; isMine: boolean }) {
  const words = tokensWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const [isAsking, setAsking] = useState(false);
  const revoke = useAction('revokeToken', {
    changes: ['listTokens'],
    onDone: () => (token.isThis ? location.assign('/login') : setAsking(false)),
  });
  const isBrowser = token.kind === 'browser';
  return (
    <Row
      icon={isBrowser ? <Monitor size={16} aria-hidden /> : <KeyRound size={16} aria-hidden />}
      title={token.name}
      marks={
        <>
          <Badge>{common.roles[token.role]}</Badge>
          {token.isThis && <Badge tone="accent">{shared.thisOne}</Badge>}
        </>
      }
      about={<Facts token={token} isMine={isMine} />}
      actions={
        <Button
          size="small"
          look="quiet"
          aria-label={isBrowser ? words.endLabel(token.name) : words.revokeLabel(token.name)}
          onClick={() => setAsking(true)}
        >
          {isBrowser ? words.end : words.revoke}
        </Button>
      }
    >
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => revoke.mutate({ tokenId: token.id }, { onError: sayError })}
        isBusy={revoke.isPending}
        title={words.revokeTitle(token.name)}
        confirm={isBrowser ? words.end : words.revoke}
      >
        <p>{token.isThis ? words.revokeThis : words.revokeAbout}</p>
      </Confirm>
    </Row>
  );
}

function Facts({ token, isMine }: { token: TokenSummary; isMine: boolean }) {
  const words = tokensWords.use();
  const formats = useFormats();
  const modelWords = tokenModelsWords.use();
  return (
    <>
      {!isMine && `${words.of(token.userName)} · `}
      {`${words.created} `}
      <TimeAgo at={token.createdAt} />
      {' · '}
      {token.lastUsedAt === undefined ? (
        words.neverUsed
      ) : (
        <>
          {`${words.lastUsed} `}
          <TimeAgo at={token.lastUsedAt} />
        </>
      )}
      {' · '}
      {token.expiresAt === undefined ? words.never : words.expires(formats.date(token.expiresAt))}
      {token.models !== undefined && ` · ${modelWords.someModels(token.models.join(', '))}`}
    </>
  );
}
