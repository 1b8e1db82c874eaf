import {
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { findSkills, type SkillPlaces } from './find-skills.ts';
import { writeSkill } from './skill.fixture.ts';

function places(more: Partial<SkillPlaces> = {}): SkillPlaces {
  const top = realpathSync(tempFolder());
  const [root, home] = [join(top, 'project'), join(top, 'home')];
  const cwd = join(root, 'packages', 'a');
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
  return { cwd, root, home, folders: [], isTrusted: () => true, ...more };
}

const namesOf = async (where: SkillPlaces) => (await findSkills(where)).skills.map(({ name }) => name);

describe('skills are found', () => {
  test('in the project from the working folder upwards, then with the person, then where the configuration says [FR-35] [ACC-05]', async () => {
    const configured = tempFolder();
    const where = places({ folders: [configured] });
    writeSkill(configured, 'configured');
    for (const folder of ['.config/dragoman/skills', '.claude/skills', '.agents/skills'])
      writeSkill(join(where.home, folder), `home-${folder.slice(1, 3)}`);
    for (const folder of ['.agents/skills', '.claude/skills', '.dragoman/skills']) {
      writeSkill(join(where.root, folder), `root-${folder.slice(1, 3)}`);
      writeSkill(join(where.cwd, folder), `cwd-${folder.slice(1, 3)}-b`);
      writeSkill(join(where.cwd, folder), `cwd-${folder.slice(1, 3)}-a`);
    }
    writeSkill(join(where.root, '..', '.claude/skills'), 'above');

    const { skills, problems } = await findSkills(where);

    expect(skills.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'cwd-dr-a project',
      'cwd-dr-b project',
      'cwd-cl-a project',
      'cwd-cl-b project',
      'cwd-ag-a project',
      'cwd-ag-b project',
      'root-dr project',
      'root-cl project',
      'root-ag project',
      'home-co user',
      'home-cl user',
      'home-ag user',
      'configured configured',
    ]);
    expect(problems).toEqual([]);
  });

  test('in folders of the configuration that are relative to the project, in the home folder, or a skill themselves [ACC-05]', async () => {
    const where = places();
    writeSkill(join(where.root, 'tools/skills'), 'relative');
    writeSkill(join(where.home, 'mine'), 'homely');
    const itself = writeSkill(tempFolder(), 'itself');
    writeSkill(where.home, 'top');

    expect(await namesOf({ ...where, folders: ['tools/skills', '~/mine', itself, '~'] })).toEqual([
      'relative',
      'homely',
      'itself',
      'top',
    ]);
  });

  test('with the person first where the project is not trusted, so that theirs is used', async () => {
    const where = places({ isTrusted: () => false, folders: ['more'] });
    const mine = writeSkill(join(where.home, '.claude/skills'), 'one');
    writeSkill(join(where.root, '.claude/skills'), 'one');
    writeSkill(join(where.root, 'more'), 'two');

    const { skills, problems } = await findSkills(where);

    expect(skills.map(({ name, folder }) => [name, folder])).toEqual([
      ['one', mine],
      ['two', join(where.root, 'more/two')],
    ]);
    expect(problems).toMatchObject([{ kind: 'shadowed', path: join(where.root, '.claude/skills/one/SKILL.md') }]);
  });

  test('only in the working folder when that is not in the project', async () => {
    const where = places({ cwd: realpathSync(tempFolder()) });
    writeSkill(join(where.cwd, '.claude/skills'), 'here');
    writeSkill(join(where.root, '.claude/skills'), 'there');

    expect(await namesOf(where)).toEqual(['here']);
  });

  test('once, where the project is the home folder and links lead back', async () => {
    const home = realpathSync(tempFolder());
    writeSkill(join(home, '.claude/skills'), 'one');
    mkdirSync(join(home, '.agents'));
    symlinkSync(join(home, '.claude/skills'), join(home, '.agents/skills'));
    const { skills, problems } = await findSkills({
      cwd: home,
      root: home,
      home,
      folders: [join(home, '.claude/skills')],
    });

    expect(skills.map(({ folder }) => folder)).toEqual([join(home, '.claude/skills/one')]);
    expect(problems).toEqual([]);
  });

  test('always the same, however often they are looked for', async () => {
    const where = places();
    for (let n = 0; n < 30; n++) writeSkill(join(where.root, '.claude/skills'), `skill-${(n * 7) % 30}`);
    const first = await findSkills(where);

    for (let n = 0; n < 5; n++) expect(await findSkills(where)).toEqual(first);
    expect(first.skills.map(({ name }) => name)).toEqual(first.skills.map(({ name }) => name).toSorted());
  });
});

describe('what is wrong is reported, and hides nothing else', () => {
  test('a broken file, with its place and reason, while the others load [FR-35]', async () => {
    const where = places();
    const skills = join(where.root, '.dragoman/skills');
    writeSkill(skills, 'a-good');
    const broken = join(writeSkill(skills, 'b-broken'), 'SKILL.md');
    writeFileSync(broken, '---\nname: b-broken\ndescription: 7\n---\n');
    const huge = join(writeSkill(skills, 'c-huge'), 'SKILL.md');
    truncateSync(huge, 1_000_001);
    mkdirSync(join(skills, 'd-empty'));
    mkdirSync(join(skills, 'e-folder/SKILL.md'), { recursive: true });
    writeFileSync(join(skills, 'README.md'), 'no skill');
    writeSkill(skills, 'z-good');

    const found = await findSkills(where);

    expect(found.skills.map(({ name }) => name)).toEqual(['a-good', 'z-good']);
    expect(found.problems).toEqual([
      {
        kind: 'broken',
        path: broken,
        line: 3,
        reason: '"description" must be text that says what the skill does and when to use it, not 7',
      },
      { kind: 'broken', path: huge, reason: 'it is 1000001 bytes; the limit is 1000000' },
    ]);
  });

  test('of two with one name the first is used', async () => {
    const where = places();
    const first = writeSkill(join(where.cwd, '.claude/skills'), 'tea');
    const second = writeSkill(join(where.home, '.claude/skills'), 'tea');

    const { skills, problems } = await findSkills(where);

    expect(skills.map(({ path }) => path)).toEqual([join(first, 'SKILL.md')]);
    expect(problems).toEqual([
      {
        kind: 'shadowed',
        path: join(second, 'SKILL.md'),
        reason: `the skill "tea" of ${join(first, 'SKILL.md')} is used instead`,
      },
    ]);
  });

  test('a name that is not that of its folder counts', async () => {
    const where = places();
    const folder = writeSkill(join(where.root, '.claude/skills'), 'coffee');
    writeFileSync(join(folder, 'SKILL.md'), '---\nname: tea\ndescription: b\n---\n');

    const { skills, problems } = await findSkills(where);

    expect(skills.map(({ name }) => name)).toEqual(['tea']);
    expect(problems).toEqual([
      {
        kind: 'misnamed',
        path: join(folder, 'SKILL.md'),
        reason: 'its name is "tea" and its folder is "coffee"; the name counts, and the folder should have it',
      },
    ]);
  });

  test('a configured folder that is not there, and links that lead nowhere or in a circle', async () => {
    const where = places({ folders: ['nowhere'] });
    const skills = join(where.root, '.claude/skills');
    mkdirSync(skills, { recursive: true });
    symlinkSync(join(skills, 'gone'), join(skills, 'lost'));
    symlinkSync(join(skills, 'circle'), join(skills, 'circle'));

    expect(await findSkills(where)).toEqual({
      skills: [],
      problems: [
        { kind: 'broken', path: join(skills, 'circle/SKILL.md'), reason: 'the file cannot be read (ELOOP)' },
        { kind: 'missing', path: join(where.root, 'nowhere'), reason: 'the folder cannot be read (ENOENT)' },
      ],
    });
  });
});

describe('a skill of a project lies below its folder for skills', () => {
  const SCRIPT = { files: { 'scripts/execute.js': '' } };
  const refused = (path: string) => ({
    skills: [],
    problems: [
      { kind: 'broken', path, reason: 'it is a link that leads out of the folder for skills, and is not read' },
    ],
  });

  test.each([
    ['the project', '../..'],
    ['a folder of the project', '../../server'],
    ['the folder for skills itself', '.'],
  ])('and a link to %s is not followed', async (_, target) => {
    const where = places();
    const skills = join(where.root, '.claude/skills');
    for (const folder of [where.root, join(where.root, 'server'), skills])
      writeSkill(dirname(folder), basename(folder), SCRIPT);
    symlinkSync(target, join(skills, 'esc'));

    expect(await findSkills(where)).toEqual(refused(join(skills, 'esc/SKILL.md')));
  });

  test('and the folder for skills cannot be another folder of the project', async () => {
    const where = places();
    writeSkill(where.root, 'server', SCRIPT);
    mkdirSync(join(where.root, '.claude'));
    symlinkSync('..', join(where.root, '.claude/skills'));

    expect(await findSkills(where)).toEqual(refused(join(where.root, '.claude/skills/server/SKILL.md')));
  });

  test('and a link out of the project is not followed, neither for a skill nor for its text nor for all of them', async () => {
    const where = places();
    const outside = tempFolder();
    writeSkill(outside, 'tea');
    const skills = join(where.root, '.claude/skills');
    mkdirSync(join(skills, 'text'), { recursive: true });
    symlinkSync(join(outside, 'tea'), join(skills, 'folder'));
    symlinkSync(join(outside, 'tea/SKILL.md'), join(skills, 'text/SKILL.md'));
    mkdirSync(join(where.root, '.dragoman'));
    symlinkSync(outside, join(where.root, '.dragoman/skills'));
    const reason = 'it is a link that points outside the project, so it is not read';

    expect(await findSkills(where)).toEqual({
      skills: [],
      problems: [
        { kind: 'broken', path: join(where.root, '.dragoman/skills'), reason: `the folder cannot be read (${reason})` },
        { kind: 'broken', path: join(skills, 'folder/SKILL.md'), reason },
        { kind: 'broken', path: join(skills, 'text/SKILL.md'), reason },
      ],
    });
  });

  test('or below another one of the project', async () => {
    const where = places();
    const folder = writeSkill(join(where.root, '.agents/skills'), 'tea');
    mkdirSync(join(where.root, '.claude/skills'), { recursive: true });
    symlinkSync('../../.agents/skills/tea', join(where.root, '.claude/skills/tea'));

    expect((await findSkills(where)).skills).toMatchObject([{ name: 'tea', folder }]);
  });

  test('and its text is no secret of the project', async () => {
    const where = places();
    const folder = join(where.root, '.claude/skills/keys');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.env'), '---\nname: keys\ndescription: b\n---\nKEY=1');
    symlinkSync('.env', join(folder, 'SKILL.md'));

    expect(await findSkills(where)).toEqual({
      skills: [],
      problems: [
        {
          kind: 'broken',
          path: join(folder, 'SKILL.md'),
          reason: 'it is a file meant for secrets, so it is not read',
        },
      ],
    });
  });

  test("while a person's own may be linked from anywhere", async () => {
    const where = places();
    const outside = realpathSync(tempFolder());
    writeSkill(outside, 'tea');
    mkdirSync(join(where.home, '.claude/skills'), { recursive: true });
    symlinkSync(join(outside, 'tea'), join(where.home, '.claude/skills/tea'));

    expect((await findSkills(where)).skills).toMatchObject([{ name: 'tea', folder: join(outside, 'tea') }]);
  });
});

test('a file that did not change is not read again, and one that did is', async () => {
  const where = places();
  const file = join(writeSkill(join(where.root, '.claude/skills'), 'tea'), 'SKILL.md');
  const text = readFileSync(file, 'utf8');
  const { atime, mtime } = statSync(file);
  utimesSync(file, atime, mtime);
  const describe_ = async () => (await findSkills(where)).skills.map(({ description }) => description);

  expect(await describe_()).toEqual(['Does tea.']);
  // Of the same size and time: only who reads it sees the difference.
  writeFileSync(file, text.replace('Does tea', 'Eats tea'));
  utimesSync(file, atime, mtime);
  expect(await describe_()).toEqual(['Does tea.']);
  utimesSync(file, atime, new Date(mtime.getTime() + 1000));
  expect(await describe_()).toEqual(['Eats tea.']);
});
