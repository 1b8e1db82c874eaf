import type { Tool } from '../tool.ts';
import { applyPatchTool } from './apply-patch-tool.ts';
import { editTool } from './edit-tool.ts';
import { globTool } from './glob-tool.ts';
import { type GrepToolOptions, grepTool } from './grep-tool.ts';
import { readTool } from './read-tool.ts';
import type { SeenFiles } from './seen-files.ts';
import { writeTool } from './write-tool.ts';

/** What the file tools need from outside. */
export interface FileToolsOptions extends GrepToolOptions {
  seen: SeenFiles;
}

/** All tools for files: read, glob, grep, edit, write and apply-patch. */
export function fileTools(options: FileToolsOptions): Tool.Info[] {
  return [
    readTool(options),
    globTool(options),
    grepTool(options),
    editTool(options),
    writeTool(options),
    applyPatchTool(options),
  ];
}
