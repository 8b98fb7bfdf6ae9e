// Keeps a Node server on loopback, whatever address it asks for:
// NODE_OPTIONS="--require …/loopback.cjs". The public `listen(port, host)` looks
// the host up first, and servers that read `address()` right after `listen()`
// would find null; `_listen2` binds at once.
'use strict';
const { Server } = require('node:net');
const listen = Server.prototype.listen;

Server.prototype.listen = function (...args) {
  const port = tcpPort(args[0]);
  if (port === null) return listen.apply(this, args);
  const ready = args.find((arg) => typeof arg === 'function');
  if (ready) this.once('listening', ready);
  this._listen2('127.0.0.1', port, 4, 511);
  return this;
};

/** The TCP port that `listen` was asked for; null for pipes and handles. */
function tcpPort(first) {
  if (first === undefined || first === null || typeof first === 'function') return 0;
  if (typeof first === 'object') {
    const other = ['path', 'fd', '_handle'].some((key) => first[key] !== undefined);
    return other ? null : Number(first.port ?? 0);
  }
  return Number.isInteger(Number(first)) ? Number(first) : null;
}
