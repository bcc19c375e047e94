// Ends a program at once, in words, on a Node.js that is older than `engines` of package.json asks for.
const { engines } = require('../package.json');

const [leastMajor, leastMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `this is Node.js ${process.versions.node}; Parley runs on ${leastMajor}.${leastMinor} or later. On Linux ` +
      '`make install` brings one, which make, npm scripts and bin/parley use; elsewhere install a newer Node.js',
  );
  process.exit(1);
}
