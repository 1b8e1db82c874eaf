#!/usr/bin/env -S node --max-semi-space-size=16
// Plain old JavaScript on purpose: an older Node must get as far as the message below.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error('Dragoman needs Node 24 or newer; this is Node ' + process.versions.node + '.');
  process.exit(4);
}
// Compiled code is kept between starts; it makes the second start several times faster.
void import('node:module')
  .then(function (nodeModule) {
    nodeModule.enableCompileCache();
    return import('#main');
  })
  .catch(function (error) {
    var isUnbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && String(error.message).indexOf('dist') !== -1;
    console.error(isUnbuilt ? 'This is a checkout: run it as "npm run -s dragoman -- COMMAND" there.' : error);
    process.exit(isUnbuilt ? 4 : 1);
  });
