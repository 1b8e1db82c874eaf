import { expect, test } from 'vitest';
import { describeSkills } from './describe-skills.ts';
import type { Skill } from './find-skills.ts';

function skills(count: number, length: number): Skill[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `skill-${n}`,
    description: `Does\n${'x'.repeat(length)}`,
    body: '',
    folder: '/',
    path: '/SKILL.md',
    origin: 'user',
  }));
}

test('every skill has a line with its name and description [FR-34]', () => {
  expect(describeSkills(skills(2, 3)).split('\n').slice(1)).toEqual(['- skill-0: Does xxx', '- skill-1: Does xxx']);
});

test('without skills it says so', () => {
  expect(describeSkills([])).toMatch(/There are no skills here\.$/);
});

test('many long descriptions are cut so that all skills have room', () => {
  const text = describeSkills([...skills(50, 1000), ...skills(1, 10)]);
  const lines = text.split('\n').slice(1);

  expect(text.length).toBeLessThanOrEqual(15_000);
  expect(text.length).toBeGreaterThan(14_000);
  expect(lines).toHaveLength(51);
  expect(lines[0]).toMatch(/^- skill-0: Does x+…$/);
  expect(lines[50]).toBe('- skill-0: Does xxxxxxxxxx');
});

test('very many keep their names, and then as many as there is room for', () => {
  const names = describeSkills(skills(500, 100));
  const some = describeSkills(skills(5000, 100));

  expect(names.length).toBeLessThanOrEqual(15_000);
  expect(names.split('\n').at(-1)).toBe('- skill-499');
  expect(some.length).toBeLessThanOrEqual(15_000);
  expect(some.split('\n').at(-1)).toMatch(/^- and 3\d\d\d more, without room here$/);
});
