#!/usr/bin/env node
// Gateway benchmark: starts the mock upstream and every target, then measures all of them
// interleaved, several times, and prints each relative to 'direct' and to the raw pass-through.
// No dependencies; needs a C compiler once (native/*.c) and Linux (/proc). See README.md.
import { spawn, spawnSync, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import net from 'node:net';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const arg = (name, dflt) => { const i = process.argv.indexOf('--' + name); return i < 0 ? dflt : process.argv[i + 1]; };
const has = (name) => process.argv.includes('--' + name);
const PORT0 = +arg('port', 41300), REPS = +arg('reps', 3), BUDGET_S = +arg('seconds', 2.5);
const BUILD = arg('build', path.join(os.tmpdir(), 'gateway-bench'));
const OUT = arg('out', ''), ONLY = arg('only', '')?.split(',').filter(Boolean);
const PIN = has('pin'); // gateway on CPU 0, mock and client on the others
const BASE = arg('base', 'raw-http');
const WARM = +arg('warm', 200);

// ---- scenarios: model name tells the mock what to send ----
const SCENARIOS = {
  c1:      { conc: 1,   model: 'mock-c200-b20-d0-k10', chunks: 200, min: 30 },
  c50:     { conc: 50,  model: 'mock-c200-b20-d0-k10', chunks: 200, min: 100 },
  c500:    { conc: 500, model: 'mock-c200-b20-d0-k10', chunks: 200, min: 500 },
  c500d10: { conc: 500, model: 'mock-c200-b20-d10', chunks: 200, min: 500, n: 500, ramp: 1000 },
  c500d10k: { conc: 500, model: 'mock-c200-b20-d10', chunks: 200, min: 1500, n: 1500, ramp: 1000 },
  c100d20: { conc: 100, model: 'mock-c100-b20-d20', chunks: 100, min: 100, n: 100, ramp: 500 },
  c500d50: { conc: 500, model: 'mock-c60-b20-d50', chunks: 60, min: 500, n: 500, ramp: 2000 },
  json50:  { conc: 50,  model: 'mock-c200-b20-d0', chunks: 200, min: 200, stream: false },
  tools50: { conc: 50,  model: 'mock-c50-b20-d0-r50-t50-k10', chunks: 50, min: 100 },
};
const scenarios = arg('scenarios', 'c1,c50,c500,c500d10').split(',');

// ---- request bodies per client dialect ----
const PROMPT = 'Say something. ' + 'context '.repeat(+arg('prompt-words', 200));
const TOOL = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const DIALECTS = {
  openai: { path: '/v1/chat/completions', body: (model, stream) => ({ model, stream, messages: [{ role: 'system', content: 'You are terse.' }, { role: 'user', content: PROMPT }], tools: [{ type: 'function', function: { name: 'read_file', description: 'read', parameters: TOOL } }] }) },
  anthropic: { path: '/v1/messages', body: (model, stream) => ({ model, stream, max_tokens: 1024, system: 'You are terse.', messages: [{ role: 'user', content: PROMPT }], tools: [{ name: 'read_file', description: 'read', input_schema: TOOL }] }) },
  responses: { path: '/v1/responses', body: (model, stream) => ({ model, stream, instructions: 'You are terse.', input: PROMPT }) },
  augment: { path: '/chat-stream', body: (model) => ({ model, message: PROMPT, chat_history: [], nodes: [], tool_definitions: [{ name: 'read_file', description: 'read', input_schema_json: JSON.stringify(TOOL) }] }) },
};

// ---- targets ----
// { name, cmd?, cwd?, env?, port, url?, dialect, path?, model?, headers?, skip? }
//   cmd   command that starts it; {port} {mock} {mockport} {here} are filled in. Without cmd it must be running at `port`.
//   model pattern with {model}, e.g. "provider,{model}"
const builtin = [
  { name: 'direct', port: PORT0, dialect: 'openai' },
  { name: 'raw-http', cmd: ['node', '{here}/ref/raw-http.mjs'], env: { PORT: '{port}', UPSTREAM: '{mock}' }, port: PORT0 + 1, dialect: 'openai' },
];
const file = arg('targets', '');
let targets = builtin.concat(file ? JSON.parse(fs.readFileSync(file, 'utf8')) : []);
// --url http://127.0.0.1:PORT --dialect D [--name N --pid PID --model-pattern P --header "k: v"] measures a gateway that already runs
if (arg('url')) { const u = new URL(arg('url')); targets.push({ name: arg('name', 'gateway'), port: +u.port, base: u.pathname.replace(/\/$/, ''), dialect: arg('dialect', 'openai'), model: arg('model-pattern'), headers: arg('header') ? [arg('header')] : [], pid: +arg('pid', 0) || undefined }); }
if (ONLY.length) targets = targets.filter((t) => ONLY.includes(t.name) || t.name === 'direct' || t.name === BASE);

// ---- helpers ----
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const kids = [];
function fill(s, t) { return s.replaceAll('{port}', t.port).replaceAll('{mock}', `http://127.0.0.1:${PORT0}`).replaceAll('{mockport}', PORT0).replaceAll('{here}', HERE).replaceAll('{node}', process.execPath); }
async function waitPort(port, ms) { const end = Date.now() + ms; while (Date.now() < end) { if (await new Promise((r) => { const s = net.connect(port, '127.0.0.1', () => { s.destroy(); r(true); }); s.on('error', () => r(false)); })) return true; await sleep(100); } return false; }
function launch(t) {
  let cmd = t.cmd.map((s) => fill(s, t)); if (cmd[0] === 'node') cmd[0] = process.execPath;
  if (PIN) cmd = ['taskset', '-c', '0', ...cmd];
  const env = { ...process.env, NODE_ENV: 'production' }; for (const [k, v] of Object.entries(t.env ?? {})) env[k] = fill(String(v), t);
  const log = fs.openSync(path.join(BUILD, `${t.name}.log`), 'w');
  const p = spawn(cmd[0], cmd.slice(1), { cwd: t.cwd ? fill(t.cwd, t) : undefined, env, stdio: ['ignore', log, log] });
  kids.push(p); t.pid = p.pid; p.on('exit', (c) => { t.exited = c; }); return p;
}
function tree(pid) { // a process and its descendants
  const out = [pid]; try { for (const task of fs.readdirSync(`/proc/${pid}/task`)) for (const c of fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) out.push(...tree(+c)); } catch {} return out;
}
function cpu(pid) { // CPU seconds of the whole tree; schedstat counts nanoseconds, stat only clock ticks
  let s = 0;
  for (const p of tree(pid)) try {
    for (const t of fs.readdirSync(`/proc/${p}/task`)) s += +fs.readFileSync(`/proc/${p}/task/${t}/schedstat`, 'utf8').split(' ')[0] / 1e9;
  } catch {
    try { const f = fs.readFileSync(`/proc/${p}/stat`, 'utf8'); const a = f.slice(f.lastIndexOf(')') + 2).split(' '); s += (+a[11] + +a[12]) / HZ; } catch {}
  }
  return s;
}
const HZ = +execFileSync('getconf', ['CLK_TCK']).toString() || 100;
function resetPeak(pid) { for (const p of tree(pid)) try { fs.writeFileSync(`/proc/${p}/clear_refs`, '5'); } catch {} }
function peakMiB(pid) { let s = 0; for (const p of tree(pid)) try { s += +/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${p}/status`, 'utf8'))[1] / 1024; } catch {} return s; }
function load(t, sc, n, extra = []) {
  const d = DIALECTS[t.dialect], stream = sc.stream !== false;
  const body = path.join(BUILD, `${t.name}.body.json`);
  fs.writeFileSync(body, JSON.stringify(d.body((t.model ?? '{model}').replace('{model}', sc.model), stream)));
  const a = ['-p', t.port, '-u', (t.base ?? '') + (t.path ?? d.path), '-c', sc.conc, '-n', n, '-k', sc.chunks, '-b', body, '-r', sc.ramp ?? 0, '-t', 60, ...extra].map(String);
  for (const h of t.headers ?? []) a.push('-H', fill(h, t));
  return new Promise((ok, bad) => {
    const p = spawn(PIN ? 'taskset' : path.join(BUILD, 'load'), PIN ? ['-c', CPUS, path.join(BUILD, 'load'), ...a] : a); let o = '', e = '';
    p.stdout.on('data', (b) => (o += b)); p.stderr.on('data', (b) => (e += b));
    p.on('close', () => { try { ok({ ...JSON.parse(o), stderr: e }); } catch { bad(new Error(`${t.name}: ${o} ${e}`)); } });
  });
}
const CPUS = os.cpus().length > 1 ? `1-${os.cpus().length - 1}` : '0';
const median = (a) => { const s = [...a].sort((x, y) => x - y); return s.length % 2 ? s[s.length >> 1] : (s[s.length / 2 - 1] + s[s.length / 2]) / 2; };

// ---- go ----
fs.mkdirSync(BUILD, { recursive: true });
for (const n of ['mock', 'load']) {
  const src = path.join(HERE, 'native', n + '.c'), bin = path.join(BUILD, n);
  if (!fs.existsSync(bin) || fs.statSync(bin).mtimeMs < fs.statSync(src).mtimeMs) { const r = spawnSync(process.env.CC ?? 'cc', ['-O2', '-o', bin, src], { stdio: 'inherit' }); if (r.status) process.exit(1); }
}
const stop = () => { for (const k of kids) try { k.kill('SIGTERM'); } catch {} };
process.on('exit', stop); process.on('SIGINT', () => process.exit(130)); process.on('SIGTERM', () => process.exit(143));
const mock = spawn(PIN ? 'taskset' : path.join(BUILD, 'mock'), PIN ? ['-c', CPUS, path.join(BUILD, 'mock'), String(PORT0)] : [String(PORT0)], { stdio: 'ignore' }); kids.push(mock);
if (!await waitPort(PORT0, 5000)) throw new Error('the mock did not start');
for (const t of targets) if (t.cmd) launch(t);
for (const t of targets) if (t.pidOf) t.pid = targets.find((x) => x.name === t.pidOf)?.pid; // a second dialect of the same process
for (const t of targets) if (!await waitPort(t.port, 30000)) { console.error(`${t.name}: did not start`); t.down = true; }
targets = targets.filter((t) => !t.down);

const rows = [], rate = {};
const sig = (t, s) => t.name + '/' + s;
// warm-up: also shows whether the answers are right, and how many requests make one measured run
for (const t of targets) {
  const w = await load(t, { ...SCENARIOS.c50, conc: 20 }, WARM, has('dump') ? ['-D'] : []);
  if (has('dump')) console.error(`--- ${t.name}\n${w.stderr.slice(0, 1500)}`);
  if (w.errors) console.error(`${t.name}: ${w.errors} of ${WARM} warm-up answers wrong: status ${w.e_status} short ${w.e_short} order ${w.e_order} reset ${w.e_reset} connect ${w.e_connect} timeout ${w.e_timeout}`);
  if (!w.ok) { t.down = true; continue; }
  t.rate = (await load(t, { ...SCENARIOS.c50, conc: 20 }, WARM)).answers_per_s; // the second, warm pass sets the run length
  console.error(`warm ${t.name}: ${t.rate.toFixed(0)} streams/s`);
  const feat = await load(t, SCENARIOS.tools50, 20); t.kept = { reasoning: feat.reasoning / 1000, tool: feat.tool / 1000 };
}
targets = targets.filter((t) => !t.down);
for (let rep = 0; rep < REPS; rep++) for (const s of scenarios) {
  const sc = SCENARIOS[s];
  for (const t of rep % 2 ? [...targets].reverse() : targets) {
    const n = sc.n ?? Math.max(sc.min, Math.min(6000, Math.round(t.rate * BUDGET_S * (sc.conc === 1 ? 0.5 : 1))));
    if (t.pid) resetPeak(t.pid);
    const c0 = t.pid ? cpu(t.pid) : 0, m0 = cpu(mock.pid);
    const r = await load(t, sc, n);
    const c = t.pid ? cpu(t.pid) - c0 : t.name === 'direct' ? cpu(mock.pid) - m0 : NaN; // 'direct' shows the mock's own CPU; unknown without a pid
    const row = { rep, scenario: s, target: t.name, n, cpu_s_per_1000: c / n * 1000, cpu_us_per_chunk: c / n / sc.chunks * 1e6, rss_mib: t.pid ? peakMiB(t.pid) : 0, load1: os.loadavg()[0], ...r }; delete row.stderr;
    rows.push(row);
    console.error(`rep ${rep + 1} ${s.padEnd(8)} ${t.name.padEnd(22)} ${row.answers_per_s.toFixed(0).padStart(6)}/s  cpu ${row.cpu_s_per_1000.toFixed(2)} s/1000  ttft p50 ${(row.ttft_us.p50 / 1000).toFixed(1)} ms  chunk p99 ${(row.chunk_us.p99 / 1000).toFixed(1)} ms  err ${row.errors}`);
    if (OUT) fs.writeFileSync(OUT, JSON.stringify({ node: process.version, cpus: os.cpus().length, rows }, null, 1));
  }
}
// ---- tables ----
const f = (x, d = 2) => Number.isNaN(x) ? '-' : x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(d);
for (const s of scenarios) {
  const of = (t) => rows.filter((r) => r.scenario === s && r.target === t);
  const med = (t, g) => median(of(t).map(g));
  console.log(`\n### ${s}: ${SCENARIOS[s].conc} concurrent, model ${SCENARIOS[s].model}${SCENARIOS[s].stream === false ? ', not streamed' : ''}\n`);
  console.log(`| target | streams/s (min–max) | ÷ direct | ÷ ${BASE} | gateway CPU s/1000 | × ${BASE} | CPU µs/chunk | TTFT p50 ms | TTFT p99 ms | chunk age p50 ms | p99 ms | peak RSS MiB | errors |`);
  console.log('|---|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const t of targets) {
    const rs = of(t.name), r = med(t.name, (x) => x.answers_per_s), c = med(t.name, (x) => x.cpu_s_per_1000), hasBase = of(BASE).length;
    const a = rs.map((x) => x.answers_per_s);
    console.log(`| ${t.name} | ${f(r, 1)} (${f(Math.min(...a), 1)}–${f(Math.max(...a), 1)}) | ${f(r / med('direct', (x) => x.answers_per_s))} | ${hasBase ? f(r / med(BASE, (x) => x.answers_per_s)) : '-'} | ${f(c)}${t.name === 'direct' ? ' (mock)' : ''} | ${hasBase && t.name !== 'direct' ? f(c / med(BASE, (x) => x.cpu_s_per_1000)) : '-'} | ${f(med(t.name, (x) => x.cpu_us_per_chunk), 1)} | ${f(med(t.name, (x) => x.ttft_us.p50 / 1000))} | ${f(med(t.name, (x) => x.ttft_us.p99 / 1000))} | ${f(med(t.name, (x) => x.chunk_us.p50 / 1000))} | ${f(med(t.name, (x) => x.chunk_us.p99 / 1000))} | ${f(med(t.name, (x) => x.rss_mib), 0)} | ${rs.reduce((x, y) => x + y.errors, 0)} |`);
  }
}
console.log('\n### what came through (share of 50 reasoning and 50 tool-argument chunks per stream)\n\n| target | reasoning | tool arguments |\n|---|---|---|');
for (const t of targets) console.log(`| ${t.name} | ${f(t.kept.reasoning)} | ${f(t.kept.tool)} |`);
process.exit(0);
