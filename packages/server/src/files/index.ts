// Files of projects: data that somebody else wrote, under names that may lead elsewhere. Importing this loads nothing else.
export { gitFolders, repositoryRoot } from '../git/git-folders.ts';
export { inFolder, makeFolder, MovedFileError, openReal } from './open-real.ts';
export {
  listProjectFolder,
  type ProjectFile,
  ProjectFileError,
  type ProjectFileOptions,
  readProjectFile,
  realInProject,
} from './read-project-file.ts';
