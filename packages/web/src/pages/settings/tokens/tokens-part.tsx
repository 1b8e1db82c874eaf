import type { TokenSummary } from '@dragoman/protocol/console';
import { KeyRound, Monitor, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { type Me, useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { Rows } from '../shared/rows.tsx';
import { NewToken } from './new-token.tsx';
import { TokenRow } from './token-row.tsx';
import { tokensWords } from './tokens-words.ts';

/** What gets in: the tokens of programs and the logins of browsers. Everybody sees their own, admins all of them. */
export function TokensPart() {
  const words = tokensWords.use();
  const me = useMe();
  const [whose, setWhose] = useState<'mine' | 'everybody'>('mine');
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useCall('listTokens');
  const shown = data?.tokens.filter(({ userId }) => whose === 'everybody' || userId === me?.userId);
  const listOf = (kind: TokenSummary['kind'], nothing: React.ReactNode) => {
    if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
    const tokens = shown?.filter((token) => token.kind === kind);
    if (tokens === undefined || me === undefined)
      return (
        <Panel>
          <SkeletonRows rows={2} />
        </Panel>
      );
    return tokens.length === 0 ? <Panel>{nothing}</Panel> : <List kind={kind} tokens={tokens} me={me} />;
  };
  return (
    <>
      <Section
        title={words.tokens}
        about={words.tokensAbout}
        actions={
          <div className="flex items-center gap-2">
            {me?.role === 'admin' && (
              <Segmented
                label={words.whose}
                value={whose}
                options={[
                  { value: 'mine', label: words.mine },
                  { value: 'everybody', label: words.everybody },
                ]}
                onChange={setWhose}
              />
            )}
            <Button
              look="primary"
              size="small"
              icon={<Plus size={14} aria-hidden />}
              disabled={me === undefined}
              onClick={() => setMaking(true)}
            >
              {words.newToken}
            </Button>
          </div>
        }
      >
        {listOf(
          'token',
          <EmptyState icon={<KeyRound size={24} aria-hidden />} title={words.noTokens}>
            {words.noTokensAbout}
          </EmptyState>,
        )}
      </Section>
      <Section title={words.browsers} about={words.browsersAbout}>
        {listOf('browser', <EmptyState icon={<Monitor size={24} aria-hidden />} title={words.noBrowsers} />)}
      </Section>
      {isMaking && me !== undefined && <NewToken mostRole={me.role} onClose={() => setMaking(false)} />}
    </>
  );
}

function List({ kind, tokens, me }: { kind: TokenSummary['kind']; tokens: readonly TokenSummary[]; me: Me }) {
  const words = tokensWords.use();
  return (
    <Rows label={kind === 'token' ? words.tokens : words.browsers}>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} isMine={token.userId === me.userId} />
      ))}
    </Rows>
  );
}
