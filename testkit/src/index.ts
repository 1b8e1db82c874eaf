export { freePort } from './postgres.ts';
export { isSoak, rounds } from './rounds.ts';
export { fillDisk, mountSmallDisk } from './small-disk.ts';
export {
  type FinishedRun,
  runDragoman,
  type RunningDragoman,
  type RunOptions,
  serveDragoman,
  startDragoman,
  type StartedDragoman,
} from './run-dragoman.ts';
export { freshLocation, STORE_ENGINES } from './store-location.ts';
export { tempFolder } from './temp-folder.ts';
export { type FakeProvider, type ProviderRequest, type ScriptedAnswer, startFakeProvider } from './fake-provider.ts';
export { type Answer, openTestDoor, type TestDoor } from './test-door.ts';
