// Trades the one-time code behind the # for a cookie, then shows who is logged in.

const element = (id) => document.getElementById(id);

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

function showOutside(reason) {
  element('state').textContent = reason;
  element('inside').hidden = true;
  element('outside').hidden = false;
}

async function showInside() {
  const [me, health] = await Promise.all([call('GET', '/api/me'), call('GET', '/health')]);
  element('state').textContent = 'You are logged in.';
  element('user').textContent = me.user.name;
  element('role').textContent = me.role;
  element('version').textContent = health.version;
  element('address').textContent = location.origin;
  element('inside').hidden = false;
  element('outside').hidden = true;
}

const code = location.hash.slice(1);
if (code !== '') history.replaceState(null, '', '/');

// A link that was used before still opens the page for whoever is logged in.
const login =
  code === ''
    ? undefined
    : await call('POST', '/api/login', { code }).then(
        () => undefined,
        (error) => error,
      );
await showInside().catch(() => showOutside(login?.message ?? 'You are not logged in.'));

element('logout').addEventListener('click', () => {
  void call('POST', '/api/logout', {}).then(
    () => showOutside('You are logged out.'),
    (error) => showOutside(error.message),
  );
});
