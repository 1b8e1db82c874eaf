#!/usr/bin/env -S node --max-semi-space-size=16
// Plain old JavaScript on purpose: an older Node must get as far as the messages below.
var SOURCE = '--conditions=@dragoman/source';

/** In a checkout, which has its own Node 24, this file starts itself again with it and with the sources. */
function startFromCheckout(modules) {
  var root = modules.url.fileURLToPath(new URL('../../..', import.meta.url));
  if (!modules.fs.existsSync(root + 'node_modules/commander')) {
    console.error('What Dragoman needs is not installed yet. Run "npm start" once in ' + root);
    process.exit(4);
  }
  var own = root + 'node_modules/.bin/node';
  var node = modules.fs.existsSync(own) ? modules.fs.realpathSync(own) : process.execPath;
  var file = modules.url.fileURLToPath(import.meta.url);
  var args = [SOURCE, '--max-semi-space-size=16', file].concat(process.argv.slice(2));
  if (typeof process.execve === 'function' && process.platform !== 'win32')
    process.execve(node, [node].concat(args), process.env);
  var child = modules.process.spawn(node, args, { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; what others send to this process is passed on.
  process.on('SIGINT', function () {});
  ['SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('error', function (error) {
    console.error(error.message);
    process.exit(4);
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function startHere(modules) {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    console.error('Dragoman needs Node 24 or newer; this is Node ' + process.versions.node + '.');
    process.exit(4);
  }
  // Compiled code is kept between starts; it makes the second start several times faster.
  modules.module.enableCompileCache();
  return import('#main');
}

void Promise.all([import('node:fs'), import('node:url'), import('node:module'), import('node:child_process')])
  .then(function (loaded) {
    var modules = { fs: loaded[0], url: loaded[1], module: loaded[2], process: loaded[3] };
    var isCheckout = modules.fs.existsSync(new URL('../src/main.ts', import.meta.url));
    var isSource = process.execArgv.indexOf(SOURCE) !== -1 || String(process.env.NODE_OPTIONS).indexOf(SOURCE) !== -1;
    return isCheckout && !isSource ? startFromCheckout(modules) : startHere(modules);
  })
  .catch(function (error) {
    console.error(error);
    process.exit(1);
  });
