import * as vscode from 'vscode';

/**
 * A setting of this extension as the person wrote it. What a workspace says of it does not count, whatever the editor thinks of
 * that: some let a nested object past the scope of a setting.
 */
export function ownSetting(name: 'url' | 'serverCommand'): string {
  const value = vscode.workspace.getConfiguration('dragoman').inspect<unknown>(name)?.globalValue;
  return typeof value === 'string' ? value.trim() : '';
}
