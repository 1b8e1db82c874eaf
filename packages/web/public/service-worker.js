// Shows notifications while the console may be closed. It is installed when a person turns notifications on, and does
// nothing else: pages are not kept, and no request goes through it.

const WORDS = {
  en: {
    allow: 'Allow',
    deny: 'Deny',
    open: 'Open',
    failed: 'The answer did not get through. Open the session to answer.',
  },
  zh: { allow: '允许', deny: '拒绝', open: '打开', failed: '回答没有送达，请打开会话处理。' },
};

self.addEventListener('install', () => self.skipWaiting());
// Open pages may then be led to a session by a click.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const note = readNote(event.data);
  event.waitUntil(self.registration.showNotification(note.title, optionsOf(note)));
});

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  const note = notification.data;
  notification.close();
  event.waitUntil(action === '' || action === 'open' ? open(note.url) : decide(note, action));
});

/** What the server says. A browser that is told something has to show something, whatever it is. */
function readNote(data) {
  try {
    return data.json();
  } catch {
    return { kind: 'test', title: 'Dragoman', body: '', url: '/', tag: 'unread', language: 'en' };
  }
}

function optionsOf(note) {
  const words = WORDS[note.language] || WORDS.en;
  const { allow } = note.approval || {};
  const actions = [];
  // There is a yes only where the text says all that it would allow; else the session does.
  if (allow !== undefined) actions.push({ action: 'allow', title: words.allow });
  else if (note.kind === 'approval') actions.push({ action: 'open', title: words.open });
  if (note.approval !== undefined) actions.push({ action: 'deny', title: words.deny });
  return {
    body: note.body,
    tag: note.tag,
    // A new question under the same tag is worth a sound again.
    renotify: note.kind === 'approval',
    requireInteraction: note.kind === 'approval',
    icon: '/icon.svg',
    lang: note.language,
    data: note,
    actions,
  };
}

/** Brings an open page of the console to the front, the one that shows it already if there is one; else opens a new one. */
async function open(url) {
  const target = new URL(url, self.location.origin);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => isAt(new URL(page.url), target));
  const page = there || pages[0];
  if (page === undefined) return self.clients.openWindow(target.href);
  await page.focus().catch(() => {}); // Some platforms do not let it.
  if (there === undefined) await page.navigate(target.href).catch(() => self.clients.openWindow(target.href));
}

/** A page may be at a certain place of a session, and still shows that session. */
function isAt(page, target) {
  return page.pathname === target.pathname && (target.search === '' || page.search === target.search);
}

/** What a page kept when it logged in; the cookie alone lets nobody in. */
async function pageSecret() {
  const kept = await caches.match('/page-secret', { cacheName: 'dragoman-login' });
  return kept === undefined ? '' : kept.text();
}

/** Answers the question without opening anything. Where that does not work, the person is told. */
async function decide(note, action) {
  const { sessionId, approval, language } = note;
  const optionId = action === 'allow' ? approval.allow : approval.reject;
  const body = { channel: 'web', ...(optionId === undefined ? { reject: true } : { optionId }) };
  const path = [sessionId, 'approvals', approval.id].map(encodeURIComponent).join('/');
  const answer = await fetch(`/api/sessions/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-dragoman-page': await pageSecret() },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined);
  if (answer !== undefined && answer.ok) return;
  const said = await answer?.json().then(
    ({ error }) => error.message,
    () => undefined,
  );
  const words = WORDS[language] || WORDS.en;
  await self.registration.showNotification(note.title, {
    ...optionsOf({ ...note, kind: 'failed', approval: undefined }),
    body: said || words.failed,
  });
}
