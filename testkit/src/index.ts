export { asOrdinaryUser } from './as-ordinary-user.ts';
export { closedFolder } from './closed-folder.ts';
export { installCodeServer } from './code-server/install-code-server.ts';
export { type CodeServer, type CodeServerOptions, startCodeServer } from './code-server/start-code-server.ts';
export { closedPort } from './closed-port.ts';
export { type CutProxy, type Healing, openCutProxy } from './cut-proxy.ts';
export { findBrowser, findPageBrowser, NEEDS_BROWSER } from './find-browser.ts';
export { hearEvents, type HeardEvents } from './heard-events.ts';
export { freePort } from './free-port.ts';
export { logInBrowser } from './log-in-browser.ts';
export { loginHeaders } from './login-headers.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { isSoak, rounds } from './rounds.ts';
export { skipTest } from './skip-test.ts';
export { fillDisk, mountSmallDisk, tablesOnSmallDisk } from './small-disk.ts';
export {
  type FinishedRun,
  runDragoman,
  type RunningDragoman,
  type RunOptions,
  serveDragoman,
  startDragoman,
  type StartedDragoman,
} from './run-dragoman.ts';
export { startPostgres, type TestPostgres } from './postgres.ts';
export { openCodeEnv } from './open-code-env.ts';
export { standInAugment, type StandInAugment, type StandInReport } from './stand-in-augment/stand-in-augment.ts';
export { countNotices, cutPostgres, freshLocation, readSql, STORE_ENGINES, runSql } from './store-location.ts';
export { tempFolder } from './temp-folder.ts';
export { fakeEmbeddings, type FakeEmbeddingsOptions } from './fake-embeddings.ts';
export {
  type AnswerMaker,
  type FakeProvider,
  type ProviderRequest,
  type ScriptedAnswer,
  startFakeProvider,
} from './fake-provider.ts';
export { type CollectedSpan, startTraceCollector, type TraceCollector } from './trace-collector.ts';
export { type FakeLark, fakeLark, type FakeLarkOptions } from './fake-lark/fake-lark.ts';
export type { CardProblem } from './fake-lark/card-problem.ts';
export type { LarkCall, LarkFault, LarkFaultHook } from './fake-lark/lark-calls.ts';
export type { PressOutcome, Said, Saying } from './fake-lark/lark-people.ts';
export type { LarkChat, LarkUser } from './fake-lark/lark-state.ts';
export { type CardNode, type CardView, plainView } from './fake-lark/plain-view.ts';
export { randomLarkFaults, type RandomLarkFaultsOptions } from './fake-lark/random-lark-faults.ts';
export { seeMarkdown } from './fake-lark/see-markdown.ts';
export type { SeenLarkMessage } from './fake-lark/seen-message.ts';
export { validateCard } from './fake-lark/validate-card.ts';
export { type FakeTelegram, fakeTelegram, type FakeTelegramOptions } from './fake-telegram/fake-telegram.ts';
export {
  randomTelegramFaults,
  type TelegramCall,
  type TelegramFault,
  type TelegramFaultHook,
} from './fake-telegram/fault.ts';
export { parseMarkdownV2 } from './fake-telegram/parse-markdown-v2.ts';
export { seeBlocks, type SeenBlock, type SeenMessage } from './fake-telegram/seen-message.ts';
export { settleText } from './fake-telegram/settle-text.ts';
export type { TelegramChat, TelegramEntity, TelegramUser } from './fake-telegram/telegram-wire.ts';
export { type Answer, openTestDoor, type TestDoor } from './test-door.ts';
export { type UapFixture, uapFixtures, type UapMoment } from './uap-fixtures.ts';
export { sessionOf } from './written-session.ts';
export { harmDone, NO_HARM } from './hostile-repository/harm-done.ts';
export { gullibleConfig, obey } from './hostile-repository/gullible-model.ts';
export { type HostileWorld, hostileWorld } from './hostile-repository/hostile-world.ts';
export { REPOSITORIES, type RepositoryName } from './hostile-repository/trick.ts';
export { browse, workInHub } from './hostile-repository/work-in-hub.ts';
