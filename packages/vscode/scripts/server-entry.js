// The server inside the extension. Plain old JavaScript: an older Node must get as far as the message below.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 16)) {
  process.stderr.write(
    'dragoman: The server needs Node 22.16 or newer; this editor has Node ' +
      process.versions.node +
      '. Update the editor, or install Dragoman with Node 24 and set "dragoman.serverCommand".\n',
  );
  process.exit(4);
}
// Compiled code is kept between starts; it makes the second start several times faster.
void import('node:module').then(function (nodeModule) {
  nodeModule.enableCompileCache();
  return import('./chunks/main.js');
});
