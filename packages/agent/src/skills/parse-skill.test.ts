import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSkill, SkillFileError } from './parse-skill.ts';

const PATH = '/skills/make-tea/SKILL.md';
const skill = (head: string, body = 'Boil water.') => parseSkill(`---\n${head}\n---\n${body}`, PATH);
const refusal = (text: string) => parseSkill(text, PATH).catch((error: unknown) => error as SkillFileError);

describe('a SKILL.md', () => {
  test('has a name, a description and a text [FR-35]', async () => {
    expect(await skill('name: make-tea\ndescription: Makes tea.', '\n# Tea\n\nBoil water.\n')).toEqual({
      name: 'make-tea',
      description: 'Makes tea.',
      body: '# Tea\n\nBoil water.',
    });
  });

  test('may say more, and what we do not know passes [FR-35]', async () => {
    expect(
      await skill(`name: make-tea
description: >
  Makes tea
  when asked.
mode: direct
timeout: 1.5
license: MIT
compatibility: Needs water.
metadata: { author: somebody, version: 2 }
allowed-tools: Read, Bash(git log:*) Write
argument-hint: "[cups]"`),
    ).toEqual({
      name: 'make-tea',
      description: 'Makes tea when asked.',
      mode: 'direct',
      timeoutMs: 1500,
      license: 'MIT',
      compatibility: 'Needs water.',
      metadata: { author: 'somebody', version: 2 },
      allowedTools: ['Read', 'Bash(git log:*)', 'Write'],
      body: 'Boil water.',
    });
    expect(await skill('name: a\ndescription: b\nallowed-tools: [Read, Write]\nlicense:\nmode: ~')).toEqual({
      name: 'a',
      description: 'b',
      allowedTools: ['Read', 'Write'],
      body: 'Boil water.',
    });
  });

  test('reads the same with a byte order mark, line ends of Windows and spaces after the hyphens [FR-35]', async () => {
    expect(await parseSkill('\uFEFF---  \r\nname: a\r\ndescription: b\r\n--- \r\nOne.\r\nTwo.\r\n', PATH)).toEqual({
      name: 'a',
      description: 'b',
      body: 'One.\nTwo.',
    });
  });

  test('may have a colon in its description, as people write it', async () => {
    expect(await skill('name: a\ndescription: Use it when: "tea" is asked for: always')).toMatchObject({
      description: 'Use it when: "tea" is asked for: always',
    });
  });

  test('may have lines of hyphens in its text, and no text at all', async () => {
    expect(await skill('name: a\ndescription: b', 'One.\n---\nTwo.')).toMatchObject({ body: 'One.\n---\nTwo.' });
    expect(await parseSkill('---\nname: a\ndescription: b\n---', PATH)).toMatchObject({ body: '' });
  });
});

describe('a broken SKILL.md is refused with path, line and reason [FR-35]', () => {
  const yes = 'name: make-tea\ndescription: b';
  test.each([
    ['', 1, 'there is no front matter; the first line must be "---"'],
    ['# Tea\n', 1, 'there is no front matter; the first line must be "---"'],
    ['---\nname: a\n', 1, 'the front matter has no end; a line "---" must follow it'],
    ['---\n---\n', 1, '"name" is missing; it must be lower-case letters, digits and hyphens, 64 at most'],
    ['---\n- a\n---\n', 2, 'the front matter must be lines of "field: value", such as "description: …"'],
    ['---\nname: a\ndescription: "b\n---\n', 3, 'the front matter is not YAML: Missing closing "quote'],
    ['---\nname: a\nname: b\n---\n', 3, 'the front matter is not YAML: Map keys must be unique'],
    [
      '---\nname: *nobody\n---\n',
      2,
      'the front matter is not YAML: Unresolved alias (the anchor must be set before the alias): nobody',
    ],
    ['---\nx: 1\n\nname: 7\n---\n', 4, '"name" must be lower-case letters, digits and hyphens, 64 at most, not 7'],
    [
      '---\ndescription: b\n---\n',
      1,
      '"name" is missing; it must be lower-case letters, digits and hyphens, 64 at most',
    ],
    [
      '---\nname: Make Tea\n---\n',
      2,
      '"name" must be lower-case letters, digits and hyphens, 64 at most; "Make Tea" is not',
    ],
    ['---\nname: ""\n---\n', 2, '"name" is empty; it must be lower-case letters, digits and hyphens, 64 at most'],
    [`---\nname: ${'a'.repeat(65)}\n---\n`, 2, '"name" is 65 characters long; the limit is 64'],
    [
      '---\nname: a\n---\n',
      1,
      '"description" is missing; it must be text that says what the skill does and when to use it',
    ],
    [
      '---\nname: a\ndescription:\n---\n',
      3,
      '"description" is missing; it must be text that says what the skill does and when to use it',
    ],
    [
      '---\nname: a\ndescription: "  "\n---\n',
      3,
      '"description" is empty; it must be text that says what the skill does and when to use it',
    ],
    [
      `---\nname: a\ndescription: ${'b'.repeat(1025)}\n---\n`,
      3,
      '"description" is 1025 characters long; the limit is 1024',
    ],
    [
      '---\nname: a\ndescription: [b]\n---\n',
      3,
      '"description" must be text that says what the skill does and when to use it, not a list',
    ],
    [`---\n${yes}\nmode: fast\n---\n`, 4, '"mode" must be "direct" or "sandbox", not "fast"'],
    [`---\n${yes}\ntimeout: soon\n---\n`, 4, '"timeout" must be a number of seconds, not "soon"'],
    [`---\n${yes}\ntimeout: 0\n---\n`, 4, '"timeout" must be more than 0 seconds'],
    [`---\n${yes}\ntimeout: 601\n---\n`, 4, '"timeout" must be at most 600 seconds'],
    [`---\n${yes}\nlicense: { a: 1 }\n---\n`, 4, '"license" must be text, not fields with values'],
    [`---\n${yes}\nmetadata: ${'x'.repeat(50)}\n---\n`, 4, '"metadata" must be fields with values, not this text'],
    [`---\n${yes}\nallowed-tools: 7\n---\n`, 4, '"allowed-tools" must be names of tools, as text or as a list, not 7'],
  ])('%j', async (text, line, reason) => {
    const error = await refusal(text);

    expect(error).toBeInstanceOf(SkillFileError);
    expect(error).toMatchObject({
      path: PATH,
      line,
      reason,
      message: `${PATH}:${line}: ${reason}`,
      code: 'config-invalid',
    });
  });
});

test('whatever stands in a file, it is a skill or a refusal with a line that is there [FR-35]', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---',
      'name: a',
      'description: b',
      ':',
      '- ',
      '\t',
      '"',
      '&a',
      '*a',
      '!!js',
      '{',
      '[',
      'x: |',
      '---\r',
    ),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const text = `---\n${pieces.join('\n')}\n---\n`;
      const result = await refusal(text);
      const line = result instanceof SkillFileError ? result.line : 1;

      expect(result).toMatchObject({ name: expect.any(String) as string });
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length);
    }),
    { numRuns: 100 },
  );
});

test('what is written comes back [FR-35]', async () => {
  const line = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== '');
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,63}$/), line, async (name, description) => {
      const parsed = await skill(`name: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}`);

      expect(parsed).toEqual({ name, description: description.trim(), body: 'Boil water.' });
    }),
    { numRuns: 50 },
  );
});
