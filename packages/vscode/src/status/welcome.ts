import * as vscode from 'vscode';

const WAS_WELCOMED = 'dragoman.wasWelcomed';

/** Opens the walkthrough once, in the first window after the installation. */
export async function welcome({
  globalState,
  extension,
}: Pick<vscode.ExtensionContext, 'globalState' | 'extension'>): Promise<void> {
  if (globalState.get(WAS_WELCOMED, false)) return;
  await globalState.update(WAS_WELCOMED, true);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#dragoman.start`, false);
}
