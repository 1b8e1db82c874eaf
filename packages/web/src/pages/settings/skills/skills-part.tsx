import { BookOpen, FileText } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { FolderPicker } from '../../../folder-picker/folder-picker.tsx';
import { AdminsOnly } from '../shared/admins-only.tsx';
import { Row, Rows } from '../shared/rows.tsx';
import { useSettled } from '../shared/use-settled.ts';
import { skillsWords } from './skills-words.ts';

/** What the native agent finds in a folder: skills, instructions, and what is wrong with them. */
export function SkillsPart() {
  return (
    <AdminsOnly>
      <Skills />
    </AdminsOnly>
  );
}

function Skills() {
  const words = skillsWords.use();
  const [folder, setFolder] = useState('');
  const asked = useSettled(folder);
  const { data, error, refetch } = useCall('readWorkplace', asked === '' ? {} : { folder: asked }, {
    staleMs: 30_000,
  });
  return (
    <>
      <Section title={words.title} about={words.about}>
        <div className="mb-3 max-w-2xl">
          <FolderPicker label={words.folder} hint={words.folderHint} value={folder} onChange={setFolder} />
        </div>
        {error !== null ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Panel>
            <SkeletonRows rows={3} />
          </Panel>
        ) : (
          <SkillList workplace={data} />
        )}
      </Section>
      {data !== undefined && error === null && <Instructions workplace={data} />}
    </>
  );
}

function SkillList({ workplace: { root, skills, problems } }: { workplace: AnswerOf<'readWorkplace'> }) {
  const words = skillsWords.use();
  return (
    <>
      <p className="contained mb-1.5 text-xs text-faint">{words.lookingAt(root)}</p>
      {skills.length === 0 ? (
        <Panel>
          <EmptyState icon={<BookOpen size={24} aria-hidden />} title={words.none}>
            {words.noneAbout}
          </EmptyState>
        </Panel>
      ) : (
        <Rows label={words.title}>
          {skills.map(({ name, description, path, problem }) => (
            <Row
              key={path}
              icon={<BookOpen size={16} aria-hidden />}
              title={name}
              marks={problem !== undefined && <Badge tone="warn">{words.broken}</Badge>}
              about={<code className="font-mono">{path}</code>}
            >
              {description !== '' && <p className="contained mt-1 text-sm text-soft">{description}</p>}
              {problem !== undefined && <p className="contained mt-1 text-sm text-warn">{problem}</p>}
            </Row>
          ))}
        </Rows>
      )}
      {problems.length > 0 && (
        <div className="mt-3">
          <Notice tone="warn" title={words.problems}>
            <ul className="list-disc pl-4">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </>
  );
}

function Instructions({ workplace: { instructions } }: { workplace: AnswerOf<'readWorkplace'> }) {
  const words = skillsWords.use();
  return (
    <Section title={words.instructions} about={words.instructionsAbout}>
      {instructions.length === 0 ? (
        <p className="text-sm text-soft">{words.noInstructions}</p>
      ) : (
        <Rows label={words.instructions}>
          {instructions.map((path) => (
            <Row
              key={path}
              icon={<FileText size={16} aria-hidden />}
              title={<code className="font-mono">{path}</code>}
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}
