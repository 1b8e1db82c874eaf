import { expect, test } from 'vitest';
import * as vscode from 'vscode';
import { freshEditor } from '../vscode.fixture.ts';
import { ownSetting } from './own-setting.ts';

test('what a workspace says does not count, even in an editor that lets it past the scope of the setting', () => {
  const editor = freshEditor();
  editor.workspaceSettings = { 'dragoman.serverCommand': '/repository/evil', 'dragoman.url': 'https://evil.example' };
  expect(vscode.workspace.getConfiguration('dragoman').get('url')).toBe('https://evil.example');
  expect([ownSetting('serverCommand'), ownSetting('url')]).toEqual(['', '']);

  editor.settings['dragoman.url'] = ' https://mine.example ';
  editor.settings['dragoman.serverCommand'] = 7;
  expect([ownSetting('serverCommand'), ownSetting('url')]).toEqual(['', 'https://mine.example']);
});
