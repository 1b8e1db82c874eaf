import { expect, test } from 'vitest';
import { crumbsOf, nameOf, typedPlace } from './path-parts.ts';

test('the way to a folder is every folder it is in, from the outermost', () => {
  expect(crumbsOf('/home/ada/project')).toEqual([
    { name: '/', path: '/' },
    { name: 'home', path: '/home' },
    { name: 'ada', path: '/home/ada' },
    { name: 'project', path: '/home/ada/project' },
  ]);
  expect(crumbsOf('/')).toEqual([{ name: '/', path: '/' }]);
  expect(crumbsOf('')).toEqual([]);
  expect(crumbsOf('~/project')).toEqual([
    { name: '~', path: '~' },
    { name: 'project', path: '~/project' },
  ]);
});

test('a path of a Windows machine keeps its way of writing', () => {
  expect(crumbsOf('C:\\code\\project')).toEqual([
    { name: 'C:', path: 'C:\\' },
    { name: 'code', path: 'C:\\code' },
    { name: 'project', path: 'C:\\code\\project' },
  ]);
  expect(nameOf('C:\\code\\project')).toBe('project');
});

test('what is typed is a folder and the beginning of the next name', () => {
  expect(typedPlace('/home/ad')).toEqual({ folder: '/home', beginning: 'ad' });
  expect(typedPlace('/ho')).toEqual({ folder: '/', beginning: 'ho' });
  expect(typedPlace('~/pro')).toEqual({ folder: '~', beginning: 'pro' });
  expect(typedPlace('C:\\co')).toEqual({ folder: 'C:\\', beginning: 'co' });
  expect(typedPlace('pro')).toEqual({ folder: '', beginning: 'pro' });
});
