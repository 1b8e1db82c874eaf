import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { AdminsOnly } from '../shared/admins-only.tsx';
import { Rows } from '../shared/rows.tsx';
import { AddPerson } from './add-person.tsx';
import { peopleWords } from './people-words.ts';
import { PersonRow } from './person-row.tsx';

/** Who may use the server, and as what. */
export function PeoplePart() {
  return (
    <AdminsOnly>
      <People />
    </AdminsOnly>
  );
}

function People() {
  const words = peopleWords.use();
  const me = useMe();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useCall('listUsers');
  return (
    <Section
      title={words.people}
      about={words.about}
      actions={
        <Button look="primary" size="small" icon={<UserPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      {error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Panel>
          <SkeletonRows rows={3} />
        </Panel>
      ) : (
        <Rows label={words.people}>
          {data.users.map((user) => (
            <PersonRow key={user.id} user={user} isMe={user.id === me?.userId} />
          ))}
        </Rows>
      )}
      {isAdding && <AddPerson onClose={() => setAdding(false)} />}
    </Section>
  );
}
